import { bind, tagged } from "@/lib/calls/bind";
import { tillCalls } from "./names";
import { listEntries, resolveEntry } from "./offline-inbox";
import { ownTill, pairTill } from "./pair-till";
import { getShift, listShifts } from "./read-shifts";
import { closeShift, moveDrawer, openShift } from "./run-shifts";
import { syncTill } from "./sync-till";
import { createTill, getTill, listTills, retireTill, updateTill } from "./tills";

export const tillApi = tagged("Tills", [
  bind(tillCalls.resolveEntry, resolveEntry, {
    summary:
      "Posts an entry of the inbox, moves it to another customer, or writes it off. No limit is passed over.",
    message: "api.entryResolved",
    example: { eAction: "write_off", sReason: "The customer was refunded in cash." },
  }),
  bind(tillCalls.listEntries, listEntries, {
    summary: "What tills kept without a connection that could not be posted, the latest received first.",
  }),
  bind(tillCalls.closeShift, closeShift, {
    summary: "Closes a shift by the count (dirhams a tender) and answers its report, which is never changed.",
    tag: "Shifts",
    message: "api.shiftClosed",
    example: { oCounted: { cash: 84_500, card: 12_000 }, sNote: "Two coins were foreign." },
  }),
  bind(tillCalls.moveDrawer, moveDrawer, {
    summary: "Records cash (dirhams) that goes into the drawer or out of it without a sale.",
    tag: "Shifts",
    headers: ({ replayed }) => (replayed ? [["Idempotency-Replayed", "true"]] : []),
    message: "api.drawerMoved",
    example: { eType: "pay_out", iAmount: 1_500, sReason: "Milk" },
  }),
  bind(tillCalls.getShift, getShift, {
    summary: "One shift, with its report once it is closed. An open shift has no sums of money.",
    tag: "Shifts",
  }),
  bind(tillCalls.listShifts, listShifts, {
    summary: "Shifts, the latest opened first: an owner's all, a worker's own and those of the proving till.",
    tag: "Shifts",
  }),
  bind(tillCalls.openShift, openShift, {
    summary:
      "Opens a till's shift with the cash in its drawer (dirhams). A worker does it with the till's proof.",
    tag: "Shifts",
    message: "api.shiftOpened",
    example: { iTillId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19", iFloat: 20_000 },
  }),
  bind(tillCalls.getTill, getTill, { summary: "One till." }),
  bind(tillCalls.updateTill, updateTill, {
    summary: "Renames or moves a till, opens its PIN sign-in, or makes another pairing code.",
    message: "api.tillUpdated",
    example: { sName: "Till 1", iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19" },
  }),
  bind(tillCalls.retireTill, retireTill, {
    summary: "Retires a till: its sessions end, and what it kept goes to the inbox for 30 days.",
    message: "api.tillRetired",
  }),
  bind(tillCalls.ownTill, ownTill, {
    summary: "The till that proves itself, its open shift, and the workers of its branch.",
    secret: "till",
  }),
  bind(tillCalls.pairTill, pairTill, {
    summary: "Pairs a browser with a till by its code. The key's private part never leaves the browser.",
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
  }),
  bind(tillCalls.listTills, listTills, {
    summary: "The tills that the caller may see, newest first: those in use by default.",
  }),
  bind(tillCalls.createTill, createTill, {
    summary: "Creates a till at a branch. Its pairing code is in this answer only, for ten minutes.",
    message: "api.tillAdded",
    example: { iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19", sName: "Till 1" },
  }),
  bind(tillCalls.syncTill, syncTill, {
    summary:
      "Receives what a till kept without a connection and answers one outcome an entry, however often it is sent.",
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
  }),
]);
