import { z } from "zod";
import type { Page } from "@/lib/domain/movements";
import {
  createWorkerSchema,
  updateWorkerSchema,
  WORKER_STATUSES,
  type Worker,
  workersSchema,
} from "@/lib/domain/worker";

const sum = z.object({ nCount: z.number().int(), sPoints: z.number().int() });
const workerData = z.object({
  _id: z.string(),
  sFirstName: z.string(),
  sLastName: z.string(),
  sEmail: z.string(),
  sPhoneNumber: z.string().nullable(),
  /** The home branch; null after it was archived. */
  iBranchId: z.string().nullable(),
  branch: z.object({ _id: z.string(), sBranchName: z.string() }).nullable(),
  iMerchantId: z.string(),
  merchant: z.object({ _id: z.string(), sBusinessName: z.string() }),
  eStatus: z.enum(WORKER_STATUSES),
  bActive: z.boolean(),
  dCreatedAt: z.iso.datetime(),
  today: z.object({ topUps: sum, redeems: sum, nUndone: z.number().int() }),
});

const sumFrom = ({ count, points }: { count: number; points: number }) => ({
  nCount: count,
  sPoints: points,
});

function workerFrom(worker: Worker): z.output<typeof workerData> {
  const { branch, merchant, today } = worker;
  return {
    _id: worker.id,
    sFirstName: worker.firstName,
    sLastName: worker.lastName,
    sEmail: worker.email,
    sPhoneNumber: worker.phone,
    iBranchId: branch?.id ?? null,
    branch: branch && { _id: branch.id, sBranchName: branch.name },
    iMerchantId: merchant.id,
    merchant: { _id: merchant.id, sBusinessName: merchant.businessName },
    eStatus: worker.status,
    bActive: worker.status !== "disabled",
    dCreatedAt: worker.createdAt.toISOString(),
    today: { topUps: sumFrom(today.topUps), redeems: sumFrom(today.redeems), nUndone: today.undone },
  };
}

export const workerReply = { schema: workerData, from: workerFrom };
export const workersReply = {
  schema: z.object({ results: z.array(workerData), nextCursor: z.string().nullable() }),
  from: (page: Page<Worker>) => ({ results: page.results.map(workerFrom), nextCursor: page.nextCursor }),
};

const query = workersSchema.shape;
export const workersWire = z
  .object({
    search: query.search,
    cursor: query.cursor,
    /** A minus before the field sorts downwards; -added by itself. */
    sort: query.sort,
    limit: query.limit,
    eStatus: query.status,
    iBranchId: query.branchId,
    iMerchantId: query.merchantId,
  })
  .transform(({ eStatus, iBranchId, iMerchantId, ...rest }) => ({
    ...rest,
    status: eStatus,
    branchId: iBranchId,
    merchantId: iMerchantId,
  }));

const create = createWorkerSchema.shape;
export const createWorkerWire = z
  .object({
    sFirstName: create.firstName,
    sLastName: create.lastName,
    sEmail: create.email,
    sPhoneNumber: create.phone,
    iBranchId: create.branchId,
    iMerchantId: create.merchantId,
  })
  .transform((wire) => ({
    firstName: wire.sFirstName,
    lastName: wire.sLastName,
    email: wire.sEmail,
    phone: wire.sPhoneNumber,
    branchId: wire.iBranchId,
    merchantId: wire.iMerchantId,
  }));

const update = updateWorkerSchema.shape;
export const updateWorkerWire = z
  .object({
    sFirstName: update.firstName,
    sLastName: update.lastName,
    sEmail: update.email,
    sPhoneNumber: update.phone,
    iBranchId: update.branchId,
    bActive: update.active,
  })
  .transform((wire) => ({
    firstName: wire.sFirstName,
    lastName: wire.sLastName,
    email: wire.sEmail,
    phone: wire.sPhoneNumber,
    branchId: wire.iBranchId,
    active: wire.bActive,
  }));
