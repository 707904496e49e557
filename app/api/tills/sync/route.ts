import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { syncReply, syncWire } from "@/lib/http/wire/offline";
import { syncTill } from "@/lib/tills/sync-till";

export const POST = route({
  run: syncTill,
  summary:
    "Receives what a till kept without a connection and answers one outcome an entry, however often it is sent.",
  tag: "Tills",
  body: syncWire,
  reply: syncReply,
  message: "api.entriesSynced",
  example: {
    entries: [
      {
        n: 1,
        sKey: "3f0a1c2e-offline-1",
        iWorkerId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
        customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
        iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
        sPoints: 100,
        eTender: "cash",
        dOccurredAt: "2026-11-22T08:15:00.000Z",
        sSig: "eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl",
      },
    ],
  },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
