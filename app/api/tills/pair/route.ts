import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { pairTillWire, tillReply } from "@/lib/http/wire/till";
import { pairTill } from "@/lib/tills/pair-till";

export const POST = route({
  run: pairTill,
  summary: "Pairs a browser with a till by its code. The key's private part never leaves the browser.",
  tag: "Tills",
  body: pairTillWire,
  reply: tillReply,
  message: "api.tillPaired",
  example: {
    sPairingCode: "40718236",
    jPublicKey: {
      kty: "EC",
      crv: "P-256",
      x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    },
  },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
