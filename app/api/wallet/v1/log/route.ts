import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { logBody } from "@/lib/http/wire/wallet";
import { logWalletMessages } from "@/lib/passes/web-service";

export const POST = route({
  run: logWalletMessages,
  summary: "Apple's web service: error messages that a device reports.",
  tag: "Apple Wallet",
  body: logBody,
  limit: "heavy",
  respond: { contentType: "text/plain", from: () => new Response(null, { status: 200 }) },
  example: { logs: ["[2026-11-21 10:00:00 +0300] Web service error: no answer in time"] },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
