import { z } from "zod";
import { emailSchema, nameSchema } from "@/lib/accounts/model/account";
import { idSchema } from "@/lib/domain/ids";
import { pageSchema, searchSchema, sortSchema } from "@/lib/domain/paging";
import { phoneSchema } from "@/lib/domain/typed";

export const WORKER_STATUSES = ["active", "invited", "disabled"] as const;
export type WorkerStatus = (typeof WORKER_STATUSES)[number];

/** Movements of one kind: how many, their points net of what was undone, gross, and the net in dirhams. */
type DaySum = { count: number; points: number; gross: number; dirhams: number };

/** A worker's totals since midnight in Asia/Qatar; `undone` counts reversals. The same as in the totals of their log. */
export type WorkerToday = { topUps: DaySum; redeems: DaySum; undone: number };

export const createWorkerSchema = z.object({
  firstName: nameSchema,
  lastName: nameSchema,
  email: emailSchema,
  phone: phoneSchema,
  branchId: idSchema,
  /** Required from a super_admin; the actor's own merchant otherwise. */
  merchantId: idSchema.optional(),
});

/** Absent fields stay unchanged. The e-mail can change only while the invitation is open. */
export const updateWorkerSchema = z.object({
  id: idSchema,
  ...createWorkerSchema.omit({ merchantId: true }).partial().shape,
  active: z.boolean("validation.type").optional(),
});
export type UpdateWorker = z.output<typeof updateWorkerSchema>;

export const WORKER_SORTS = ["added", "name"] as const;

export const workersSchema = pageSchema.extend({
  search: searchSchema,
  status: z.enum(WORKER_STATUSES, "validation.invalid").optional(),
  branchId: idSchema.optional(),
  merchantId: idSchema.optional(),
  sort: sortSchema(WORKER_SORTS),
});

export const workersFilterSchema = workersSchema.omit({ limit: true, cursor: true });
export type WorkersFilter = z.output<typeof workersFilterSchema>;
