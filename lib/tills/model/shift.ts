import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";
import { toLatinDigits } from "@/lib/domain/money";
import { pageSchema } from "@/lib/domain/paging";
import { daySchema, idempotencyKeySchema, reasonSchema, requiredReason } from "@/lib/ledger/model/movements";
import { TENDERS } from "@/lib/ledger/model/tender";

/** The most that a drawer may hold in one amount: QAR 1,000,000. */
const MAX_DIRHAMS = 100_000_000;

/** A whole number of dirhams from 0: a number, or its text in Latin, Arabic-Indic or Persian digits. */
const dirhamsSchema = z
  .union([z.number(), z.string().max(20, { error: "validation.dirhams" })], { error: "validation.dirhams" })
  .transform((value, ctx) => {
    const text = toLatinDigits(String(value)).trim();
    if (/^\d{1,9}$/.test(text) && Number(text) <= MAX_DIRHAMS) return Number(text);
    ctx.issues.push({ code: "custom", message: "validation.dirhams", input: value });
    return z.NEVER;
  });

export const openShiftSchema = z.object({ tillId: idSchema, float: dirhamsSchema });

export const DRAWER_MOVES = ["pay_in", "pay_out"] as const;
export type DrawerMoveKind = (typeof DRAWER_MOVES)[number];

export const moveDrawerSchema = z.object({
  id: idSchema,
  kind: z.enum(DRAWER_MOVES, { error: "validation.invalid" }),
  amount: dirhamsSchema.pipe(z.number().min(1, { error: "validation.dirhams" })),
  reason: requiredReason,
  idempotencyKey: idempotencyKeySchema.optional(),
});

const optionalCount = dirhamsSchema.nullish().transform((value) => value ?? undefined);
export const closeShiftSchema = z.object({
  id: idSchema,
  counted: z.object(
    {
      cash: dirhamsSchema,
      card: optionalCount.optional(),
      bank: optionalCount.optional(),
      other: optionalCount.optional(),
    },
    { error: "validation.invalid" },
  ),
  note: reasonSchema
    .nullish()
    .transform((text) => text || undefined)
    .optional(),
  /** How many entries the till has not sent yet. */
  waiting: z
    .int({ error: "validation.invalid" })
    .min(0, { error: "validation.invalid" })
    .max(1_000_000, { error: "validation.invalid" })
    .optional(),
});

export const shiftsSchema = pageSchema.extend({
  tillId: idSchema.optional(),
  branchId: idSchema.optional(),
  /** The user who opened or closed it. */
  workerId: idSchema.optional(),
  merchantId: idSchema.optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
});

/** A number of movements, their points and their value in dirhams, both signed. */
const sum = z.object({ count: z.number(), points: z.number(), dirhams: z.number() });
const drawerSum = sum.omit({ points: true });

/** In dirhams. What was not counted has neither count nor difference. */
const tenderCount = z.object({
  tender: z.enum(TENDERS),
  expected: z.number(),
  counted: z.number().nullable(),
  difference: z.number().nullable(),
});
/** A report as the database stored it at the close. */
export const frozenReportSchema = z.object({
  till: z.string(),
  branch: z.string(),
  openedBy: z.string(),
  closedBy: z.string(),
  tenders: z.array(tenderCount),
  kinds: z.record(z.string(), sum),
  drawer: z.partialRecord(z.enum(DRAWER_MOVES), drawerSum),
  /** Cash (dirhams) returned for top-ups of other tills (null: of none). Older reports have no such list. */
  otherTills: z.array(drawerSum.extend({ till: z.string().nullable() })).default([]),
  /** The people who posted at the till. */
  served: z.array(z.object({ id: z.string(), name: z.string() })),
});
