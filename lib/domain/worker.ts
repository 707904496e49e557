import { z } from "zod";
import { emailSchema, nameSchema } from "./account";
import { phoneSchema } from "./contact";
import { idSchema } from "./ids";
import { pageSchema, searchSchema, sortSchema } from "./paging";

export const WORKER_STATUSES = ["active", "invited", "disabled"] as const;
export type WorkerStatus = (typeof WORKER_STATUSES)[number];

/** What a worker did since midnight in Qatar, in points and in movements. */
export type WorkerToday = {
  topUps: { count: number; points: number };
  redeems: { count: number; points: number };
  undone: number;
};

/** Someone who serves at a merchant's counters. `branch` is their home: preselected, never a limit. */
export type Worker = {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  status: WorkerStatus;
  branch: { id: string; name: string } | null;
  merchant: { id: string; businessName: string };
  createdAt: Date;
  today: WorkerToday;
};

export const createWorkerSchema = z.object({
  firstName: nameSchema,
  lastName: nameSchema,
  email: emailSchema,
  phone: phoneSchema,
  branchId: idSchema,
  /** Whose worker: named by a super_admin, the own merchant otherwise. */
  merchantId: idSchema.optional(),
});
export type CreateWorker = z.output<typeof createWorkerSchema>;

export const updateWorkerSchema = z.object({
  id: idSchema,
  firstName: nameSchema.optional(),
  lastName: nameSchema.optional(),
  /** Changes only while the invitation is open: later it is the worker's own. */
  email: emailSchema.optional(),
  phone: phoneSchema.optional(),
  branchId: idSchema.optional(),
  active: z.boolean("validation.type").optional(),
});
export type UpdateWorker = z.output<typeof updateWorkerSchema>;

/** What a list of workers can be sorted by; newest first where nothing is said. */
export const WORKER_SORTS = ["added", "name"] as const;

export const workersSchema = pageSchema.extend({
  search: searchSchema,
  status: z.enum(WORKER_STATUSES, "validation.invalid").optional(),
  branchId: idSchema.optional(),
  /** Only a super_admin sees more than one merchant. */
  merchantId: idSchema.optional(),
  sort: sortSchema(WORKER_SORTS),
});
export type WorkersQuery = z.output<typeof workersSchema>;
