import { addPasskey, startPasskey } from "@/lib/accounts/factors/enrol";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { addPasskeyWire, creationOptionsReply, enrolledReply } from "@/lib/http/wire/second-factor";

export const POST = route({
  run: startPasskey,
  summary: "Begins a passkey: the options for WebAuthn's `navigator.credentials.create`.",
  tag: "Accounts",
  reply: creationOptionsReply,
});

export const PUT = route({
  run: addPasskey,
  summary:
    "Adds the passkey that the browser made. The account's first factor comes with ten recovery codes, shown once.",
  tag: "Accounts",
  body: addPasskeyWire,
  reply: enrolledReply,
  example: {
    sName: "Laptop",
    jAttestation: {
      id: "AQIDBA",
      rawId: "AQIDBA",
      type: "public-key",
      response: { clientDataJSON: "e30", attestationObject: "o2Nm" },
      clientExtensionResults: {},
    },
  },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH } = otherMethods("POST", "PUT");
