import { z } from "zod";
import { computed, fields, instantText, namesOf, nullable, pageOf } from "@/lib/calls/codec";
import { branchRef, idParams, merchantRef, personNameFields } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { BranchRef, MerchantRef } from "@/lib/domain/localized-names";
import { WORKER_STATUSES, type WorkerStatus, type WorkerToday } from "./model";

const sum = fields({
  nCount: ["count", z.number().int()],
  /** Net of what was undone. */
  sPoints: ["points", z.number().int()],
  sGross: ["gross", z.number().int()],
});
const detailFields = {
  ...personNameFields,
  sEmail: ["email", z.string()],
  sPhoneNumber: ["phone", z.string().nullable()],
} as const;
const workerReply = fields({
  _id: ["id", z.string()],
  ...detailFields,
  /** The home branch; null if it was archived. */
  iBranchId: [
    "branchId",
    computed(z.string().nullable(), (of: { branch: BranchRef | null }) => of.branch?.id ?? null),
  ],
  branch: ["branch", nullable(branchRef)],
  iMerchantId: ["merchantId", computed(z.string(), ({ merchant }: { merchant: MerchantRef }) => merchant.id)],
  merchant: ["merchant", merchantRef],
  eStatus: ["status", z.enum(WORKER_STATUSES)],
  bActive: ["active", computed(z.boolean(), ({ status }: { status: WorkerStatus }) => status !== "disabled")],
  dCreatedAt: ["createdAt", instantText],
  today: [
    "today",
    fields({ topUps: ["topUps", sum], redeems: ["redeems", sum], nUndone: ["undone", z.number().int()] }),
  ],
});
/** A worker of a merchant. `branch` is the home branch: a preselection, not a restriction. */
export type Worker = Parameters<typeof workerReply.from>[0] & { today: WorkerToday };

const workersWire = {
  ...same("search", "cursor", "sort", "limit"),
  eStatus: "status",
  iBranchId: "branchId",
  iMerchantId: "merchantId",
} as const;

const details = { ...namesOf(detailFields), iBranchId: "branchId" } as const;
const createWorkerWire = { ...details, iMerchantId: "merchantId" } as const;

export const workerCalls = {
  getWorker: { method: "GET", path: "workers/{id}", params: idParams, reply: workerReply },
  updateWorker: {
    method: "PUT",
    path: "workers/{id}",
    params: idParams,
    body: { ...details, bActive: "active" },
    reply: workerReply,
  },
  disableWorker: { method: "DELETE", path: "workers/{id}", params: idParams, reply: workerReply },
  listWorkers: { method: "GET", path: "workers", query: workersWire, reply: pageOf(workerReply) },
  createWorker: { method: "POST", path: "workers", body: createWorkerWire, reply: workerReply },
} as const;
