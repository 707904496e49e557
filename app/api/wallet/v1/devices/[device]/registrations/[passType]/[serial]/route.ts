import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { registrationBody, registrationParams } from "@/lib/http/wire/wallet";
import { registerDevice, unregisterDevice } from "@/lib/passes/web-service";

export const POST = route({
  run: registerDevice,
  summary: "Apple's web service: registers a device for a pass.",
  tag: "Apple Wallet",
  secret: "applePass",
  params: registrationParams,
  body: registrationBody,
  respond: {
    contentType: "text/plain",
    statuses: [200, 201],
    from: ({ created }) => new Response(null, { status: created ? 201 : 200 }),
  },
  example: { pushToken: "the token of the device at Apple's push service" },
});

export const DELETE = route({
  run: unregisterDevice,
  summary: "Apple's web service: unregisters a device from a pass.",
  tag: "Apple Wallet",
  secret: "applePass",
  params: registrationParams,
  respond: { contentType: "text/plain", from: () => new Response(null, { status: 200 }) },
});

export const { GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST", "DELETE");
