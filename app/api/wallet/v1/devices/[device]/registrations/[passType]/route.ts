import { z } from "zod";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { changedQuery, deviceParams } from "@/lib/http/wire/wallet";
import { changedPasses } from "@/lib/passes/web-service";

export const GET = route({
  run: changedPasses,
  summary: "Apple's web service: the passes of a device that changed since a tag.",
  tag: "Apple Wallet",
  params: deviceParams,
  query: changedQuery,
  respond: {
    contentType: "application/json",
    statuses: [200, 204],
    schema: z.object({ serialNumbers: z.array(z.string()), lastUpdated: z.string() }),
    from: (changed) => (changed ? Response.json(changed) : new Response(null, { status: 204 })),
  },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
