import { bind, tagged } from "@/lib/calls/bind";
import { POSTS } from "@/lib/ledger/names";
import { captureHold, extendHold, listHolds, openHold, readHold, releaseHold, voidHold } from "./holds";
import { holdCalls } from "./names";
import { reverseLost } from "./reverse-lost";

export const holdApi = tagged("Holds", [
  bind(holdCalls.listHolds, listHolds, {
    summary:
      "The holds that the caller may see, newest first, by customer, branch, API key and state. A hold whose time is over is lapsed.",
  }),
  bind(holdCalls.openHold, openHold, {
    summary:
      "Reserves points of a card for iSeconds (30 to 900, or what the key allows), by the rules of a redemption. Only captures of the hold take them; sBalance stays, iAvailable falls.",
    ...POSTS,
    message: "api.holdOpened",
    example: {
      customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
      iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
      iPoints: 40,
      iSeconds: 600,
      sSaleRef: "INV-1043",
    },
  }),
  bind(holdCalls.readHold, readHold, { summary: "One hold, as of now." }),
  bind(holdCalls.captureHold, captureHold, {
    summary:
      "Redeems points of an open hold, by default all that is left. What is left after a final capture (bFinal, the default) is free again.",
    ...POSTS,
    message: "api.holdCaptured",
    example: { iPoints: 25, bFinal: true },
  }),
  bind(holdCalls.extendHold, extendHold, {
    summary:
      "Moves the end of an open hold to iSeconds from now, once, and never beyond the key's longest hold from when it was opened.",
    ...POSTS,
    message: "api.holdExtended",
    example: { iSeconds: 600 },
  }),
  bind(holdCalls.releaseHold, releaseHold, {
    summary: "Ends a hold that an API key opened, at the counter and with the card's live code.",
    ...POSTS,
    message: "api.holdReleased",
    example: { sProof: "58823529.o3q1Zk2fVx0aTbQe" },
  }),
  bind(holdCalls.voidHold, voidHold, {
    summary: "Ends an open hold; its points are free again. Voided twice, it is answered as it is.",
    ...POSTS,
    message: "api.holdVoided",
    example: { sReason: "The customer left" },
  }),
  bind(holdCalls.reverseLost, reverseLost, {
    summary:
      "Undoes a request whose answer was lost, within 24 hours and by whoever sent it: reverses what it posted, voids its hold, or leaves a tombstone, so that it posts nothing when it arrives.",
    tag: "Counter",
    limit: "money",
    example: { sIdempotencyKey: "till-7-000412" },
  }),
]);
