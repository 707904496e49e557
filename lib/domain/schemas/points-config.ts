import { z } from "zod";
import { idSchema } from "../ids";
import { parsePoints } from "../money";
import { pageSchema } from "./paging";

/** A whole number within bounds: a number or its digits as text (Arabic ones too). */
const whole = (min: number, max: number) =>
  z.union([z.number(), z.string().max(20)], { error: "validation.required" }).transform((value, ctx) => {
    const zero = String(value).trim();
    const parsed = zero === "0" || zero === "٠" ? { ok: true as const, points: 0 } : parsePoints(value);
    if (parsed.ok && parsed.points >= min && parsed.points <= max) return parsed.points;
    ctx.issues.push({
      code: "custom",
      message:
        !parsed.ok && parsed.problem === "required" ? "validation.required" : "validation.config.bounds",
      input: value,
    });
    return z.NEVER;
  });

const MOST = 1_000_000_000;
const cap = whole(1, MOST);

const fields = z.object({
  dirhamsPerPoint: whole(1, 100_000),
  minTopUp: whole(1, MOST),
  maxTopUp: whole(1, MOST),
  maxBalance: whole(1, MOST),
  undoMinutes: whole(0, 1440),
  /** Empty or null is no cap. */
  workerDailyCap: z
    .union([z.literal("").transform(() => null), z.null(), cap])
    .optional()
    .transform((value) => value ?? null),
  /** An override for one merchant; left out, the platform's record. */
  merchantId: idSchema.optional(),
  /** The record that the editor saw (its markOf): a change in between is a conflict. */
  seen: z.string().max(40).optional(),
});

type Bounds = { minTopUp: number; maxTopUp: number; maxBalance: number };
function ordered(rules: Bounds, ctx: z.RefinementCtx) {
  const issue = (path: keyof Bounds, message: string) =>
    ctx.addIssue({ code: "custom", path: [path], message });
  if (rules.maxTopUp < rules.minTopUp) issue("maxTopUp", "validation.config.maxTopUp");
  if (rules.maxBalance < rules.maxTopUp) issue("maxBalance", "validation.config.maxBalance");
}

export const configFields = fields.shape;
export const editConfigSchema = fields.superRefine(ordered);
export type EditConfig = z.output<typeof editConfigSchema>;

/** Whose configuration: a merchant's, or (for administrators) the platform's when left out. */
export const configScopeSchema = z.object({ merchantId: idSchema.optional() });
export type ConfigScope = z.output<typeof configScopeSchema>;

export const withdrawOverrideSchema = z.object({ merchantId: idSchema });
export type WithdrawOverride = z.output<typeof withdrawOverrideSchema>;

export const configImpactSchema = configScopeSchema.extend({ dirhamsPerPoint: configFields.dirhamsPerPoint });
export type ConfigImpactQuery = z.output<typeof configImpactSchema>;

/** Changes of one merchant; left out, an administrator's every change, a merchant's own and the platform's. */
export const configHistorySchema = pageSchema.extend({ merchantId: idSchema.optional() });
export type ConfigHistoryQuery = z.output<typeof configHistorySchema>;
