import { z } from "zod";
import { branchRef, idParams, merchantRefFrom, merchantRefShape } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { Page } from "@/lib/ledger/model/movements";
import { type DaySum, WORKER_STATUSES, type Worker } from "./model";

const sum = z.object({
  nCount: z.number().int(),
  /** Net of what was undone. */
  sPoints: z.number().int(),
  sGross: z.number().int(),
});
const workerData = z.object({
  _id: z.string(),
  sFirstName: z.string(),
  sLastName: z.string(),
  sEmail: z.string(),
  sPhoneNumber: z.string().nullable(),
  /** The home branch; null if it was archived. */
  iBranchId: z.string().nullable(),
  branch: branchRef.schema.nullable(),
  iMerchantId: z.string(),
  merchant: merchantRefShape,
  eStatus: z.enum(WORKER_STATUSES),
  bActive: z.boolean(),
  dCreatedAt: z.iso.datetime(),
  today: z.object({ topUps: sum, redeems: sum, nUndone: z.number().int() }),
});

const sumFrom = ({ count, points, gross }: DaySum) => ({ nCount: count, sPoints: points, sGross: gross });

function workerFrom(worker: Worker): z.output<typeof workerData> {
  const { branch, merchant, today } = worker;
  return {
    _id: worker.id,
    sFirstName: worker.firstName,
    sLastName: worker.lastName,
    sEmail: worker.email,
    sPhoneNumber: worker.phone,
    iBranchId: branch?.id ?? null,
    branch: branch && { _id: branch.id, sBranchName: branch.name, sBranchNameAr: branch.nameAr },
    iMerchantId: merchant.id,
    merchant: merchantRefFrom(merchant),
    eStatus: worker.status,
    bActive: worker.status !== "disabled",
    dCreatedAt: worker.createdAt.toISOString(),
    today: { topUps: sumFrom(today.topUps), redeems: sumFrom(today.redeems), nUndone: today.undone },
  };
}

const workerReply = { schema: workerData, from: workerFrom };
const workersReply = {
  schema: z.object({ results: z.array(workerData), nextCursor: z.string().nullable() }),
  from: (page: Page<Worker>) => ({ results: page.results.map(workerFrom), nextCursor: page.nextCursor }),
};

/** GET workers. A minus before the field of `sort` sorts in descending order. */
const workersWire = {
  ...same("search", "cursor", "sort", "limit"),
  eStatus: "status",
  iBranchId: "branchId",
  iMerchantId: "merchantId",
} as const;

const details = {
  sFirstName: "firstName",
  sLastName: "lastName",
  sEmail: "email",
  sPhoneNumber: "phone",
  iBranchId: "branchId",
} as const;
const createWorkerWire = { ...details, iMerchantId: "merchantId" } as const;
const updateWorkerWire = { ...details, bActive: "active" } as const;

/** The calls of workers, as both sides know them. */
export const workerCalls = {
  getWorker: { method: "GET", path: "workers/{id}", params: idParams, reply: workerReply },
  updateWorker: {
    method: "PUT",
    path: "workers/{id}",
    params: idParams,
    body: updateWorkerWire,
    reply: workerReply,
  },
  disableWorker: { method: "DELETE", path: "workers/{id}", params: idParams, reply: workerReply },
  listWorkers: { method: "GET", path: "workers", query: workersWire, reply: workersReply },
  createWorker: { method: "POST", path: "workers", body: createWorkerWire, reply: workerReply },
} as const;
