import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { passParams, passResponse } from "@/lib/http/wire/wallet";
import { latestPass } from "@/lib/passes/web-service";

export const GET = route({
  run: latestPass,
  summary: "Apple's web service: the latest version of a pass.",
  tag: "Apple Wallet",
  secret: "applePass",
  params: passParams,
  more: ({ headers }) => ({
    ifModifiedSince: headers.get("if-modified-since"),
  }),
  respond: {
    contentType: "application/vnd.apple.pkpass",
    statuses: [200, 304],
    from: (file) => (file ? passResponse(file) : new Response(null, { status: 304 })),
  },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
