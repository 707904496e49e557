import { z } from "zod";
import { computed, fields, instant, nullable, otherwise, pageOf } from "@/lib/calls/codec";
import { idParams, merchantRef } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";

const branchReply = fields({
  _id: ["id", z.string()],
  sBranchName: ["name", z.string()],
  sBranchNameAr: ["nameAr", otherwise(nullable(z.string()), null)],
  sCity: ["city", z.string()],
  iMerchantId: [
    "merchantId",
    computed(z.string(), ({ merchant }: { merchant: { id: string } }) => merchant.id),
  ],
  merchant: ["merchant", merchantRef],
  /** The enabled workers whose home branch it is. */
  nWorkers: ["workers", z.number().int()],
  bArchived: ["archived", computed(z.boolean(), (of: { archivedAt: Date | null }) => of.archivedAt !== null)],
  dCreatedAt: ["createdAt", instant],
});
/** A branch (administrators call it an outlet). An archived branch keeps its movements and accepts no new ones. */
export type Branch = Parameters<typeof branchReply.from>[0];
/** Whether the branch was archived, because it had been used, or deleted. */
const removedReply = fields({ bArchived: ["archived", z.boolean()] });

/** `state` is open (default), archived or all. A minus before the field of `sort` sorts in descending order. */
const listWire = {
  ...same("search", "cursor", "limit", "state", "sort"),
  iMerchantId: "merchantId",
} as const;
const names = { sBranchName: "name", sBranchNameAr: "nameAr", sCity: "city" } as const;
const createWire = { ...names, iMerchantId: "merchantId" } as const;
const updateWire = { ...names, bArchived: "archived" } as const;

const callsBelow = <const Path extends "branches" | "outlets">(path: Path) =>
  ({
    update: { method: "PUT", path: `${path}/{id}`, params: idParams, body: updateWire, reply: branchReply },
    remove: { method: "DELETE", path: `${path}/{id}`, params: idParams, reply: removedReply },
    list: { method: "GET", path, query: listWire, reply: pageOf(branchReply) },
    create: { method: "POST", path, body: createWire, reply: branchReply },
  }) as const;

export const branchCalls = {
  get: { method: "GET", path: "branches/{id}", params: idParams, reply: branchReply },
  ...callsBelow("branches"),
} as const;
export const outletCalls = callsBelow("outlets");
