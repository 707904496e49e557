import { z } from "zod";
import { idSchema } from "./ids";
import { parsePoints } from "./money";
import type { PointsRules, RulesInForce } from "./movements";
import { pageSchema } from "./paging";

/** The rules in force for a merchant, or for the platform when `merchant` is null. */
export type ConfigInForce = RulesInForce & { merchant: { id: string; businessName: string } | null };

/** Which record and version of it is in force: what an editor saw, and a change in between makes another. */
export function markOf({ overridden, version }: Pick<RulesInForce, "overridden" | "version">): string {
  return `${overridden ? "merchant" : "platform"} ${version}`;
}

/** What a change of rate would mean: outstanding points, and their QAR value ("350.00") before and after. */
export type ConfigImpact = {
  points: number;
  before: string;
  after: string;
  /** Points are outstanding and the rate would fall: it will be refused. */
  refused: boolean;
};

/** One change: `before` is null for a merchant's first override, `after` null for its withdrawal. */
export type ConfigChange = {
  id: string;
  merchant: { id: string; businessName: string } | null;
  version: number;
  createdAt: Date;
  /** Null for the product's first record, and for readers who do not administer. */
  changedBy: string | null;
  before: PointsRules | null;
  after: PointsRules | null;
};

/** A merchant with rules of its own. */
export type ConfigOverride = {
  merchant: { id: string; businessName: string };
  rules: PointsRules;
  since: Date;
};

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

export const editConfigSchema = fields.superRefine(ordered);
export type EditConfig = z.output<typeof editConfigSchema>;

/** Whose configuration: a merchant's, or (for administrators) the platform's when left out. */
export const configScopeSchema = z.object({ merchantId: idSchema.optional() });
export type ConfigScope = z.output<typeof configScopeSchema>;

export const withdrawOverrideSchema = z.object({ merchantId: idSchema });
export type WithdrawOverride = z.output<typeof withdrawOverrideSchema>;

export const configImpactSchema = configScopeSchema.extend({ dirhamsPerPoint: fields.shape.dirhamsPerPoint });
export type ConfigImpactQuery = z.output<typeof configImpactSchema>;

/** Changes of one merchant; left out, an administrator's every change, a merchant's own and the platform's. */
export const configHistorySchema = pageSchema.extend({ merchantId: idSchema.optional() });
export type ConfigHistoryQuery = z.output<typeof configHistorySchema>;
