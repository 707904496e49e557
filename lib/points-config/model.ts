import { z } from "zod";
import { betweenMessage } from "@/lib/domain/errors";
import { idSchema } from "@/lib/domain/ids";
import type { MerchantRef } from "@/lib/domain/localized-names";
import { parsePoints, toLatinDigits } from "@/lib/domain/money";
import { pageSchema } from "@/lib/domain/paging";
import { qarBetween } from "@/lib/domain/typed";

/** A points configuration: amounts in points, the rate in dirhams per point, the undo window in minutes. */
export type PointsRules = Omit<EditConfig, "merchantId" | "seen">;

/** The names of the rules, in the order in which pages and e-mails show them. */
export const RULES = [
  "dirhamsPerPoint",
  "minTopUp",
  "maxTopUp",
  "maxBalance",
  "undoMinutes",
  "workerDailyCap",
] as const satisfies (keyof PointsRules)[];

/** The daily limit of a worker, in points, that a new merchant starts with. */
export const FIRST_WORKER_DAILY_CAP = 20_000;

export type RulesInForce = PointsRules & { version: number; overridden: boolean; since: Date };

export type WaitingState = {
  id: string;
  /** The merchant whose rules or settings change; null for the platform's. */
  merchantId: string | null;
  askedAt: Date;
  effectiveAt: Date;
  /** Whether it takes effect only after a second administrator's approval, which is still missing. */
  needsApproval: boolean;
  approved: boolean;
  /** The administrator who asked; null for readers who are not administrators. */
  askedBy: string | null;
  /** Whether the reader asked for it, and so may not approve it. */
  own: boolean;
};

export type PendingChange = WaitingState & {
  /** Whether the merchant returns to the platform's rules. */
  withdrawal: boolean;
  rules: PointsRules;
};

/** The rules in force for a merchant, or for the platform when `merchant` is null, and the change of them that waits. */
export type ConfigInForce = RulesInForce & {
  merchant: MerchantRef | null;
  pending: PendingChange | null;
};

/** Identifies the record and version in force, so that an edit can detect a change since the form was opened. */
export function configEtag({ overridden, version }: Pick<RulesInForce, "overridden" | "version">): string {
  return `${overridden ? "merchant" : "platform"} ${version}`;
}

/** The effect of a new rate: outstanding points, and their value in QAR ("350.00") before and after. */
export type ConfigImpact = {
  points: number;
  before: string;
  after: string;
  /** Whether the change is refused: the rate falls while points are outstanding. */
  refused: boolean;
};

export type ConfigOverride = { merchant: MerchantRef; rules: PointsRules };

/** A whole number within bounds: a number, or its text in Latin or Arabic digits. */
const whole = (min: number, max: number) =>
  z.union([z.number(), z.string().max(20)], { error: "validation.required" }).transform((value, ctx) => {
    const zero = toLatinDigits(String(value)).trim() === "0";
    const parsed = zero ? { ok: true as const, points: 0 } : parsePoints(value);
    if (parsed.ok && parsed.points >= min && parsed.points <= max) return parsed.points;
    ctx.issues.push({
      code: "custom",
      message: !parsed.ok && parsed.problem === "required" ? "validation.required" : betweenMessage(min, max),
      input: value,
    });
    return z.NEVER;
  });

const MAX_POINTS = 1_000_000_000;

/** The least and the highest value of a point, in dirhams. */
const RATES = [1, 100_000] as const;

const fields = z.object({
  dirhamsPerPoint: whole(...RATES),
  minTopUp: whole(1, MAX_POINTS),
  maxTopUp: whole(1, MAX_POINTS),
  maxBalance: whole(1, MAX_POINTS),
  undoMinutes: whole(0, 1440),
  /** The points that a worker may top up in a day. Empty or null for no limit. */
  workerDailyCap: z
    .union([z.literal("").transform(() => null), z.null(), whole(1, MAX_POINTS)])
    .optional()
    .transform((value) => value ?? null),
  /** The merchant to override; absent for the platform's record. */
  merchantId: idSchema.optional(),
  /** The configEtag of the record that the editor saw. If it has changed since, the edit is a conflict. */
  seen: z.string().max(40).optional(),
});

type Bounds = Pick<PointsRules, "minTopUp" | "maxTopUp" | "maxBalance">;
function checkBounds(rules: Bounds, ctx: z.RefinementCtx) {
  const issue = (path: keyof Bounds, message: string) =>
    ctx.addIssue({ code: "custom", path: [path], message });
  if (rules.maxTopUp < rules.minTopUp) issue("maxTopUp", "validation.config.maxTopUp");
  if (rules.maxBalance < rules.maxTopUp) issue("maxBalance", "validation.config.maxBalance");
}

export const editConfigSchema = fields.superRefine(checkBounds);
/** The value of a point as people type it: in QAR, parsed to dirhams. */
export const typedRateSchema = qarBetween(...RATES);
export const configFormSchema = fields.extend({ dirhamsPerPoint: typedRateSchema }).superRefine(checkBounds);
export type EditConfig = z.output<typeof editConfigSchema>;

/** Selects a merchant's configuration; for administrators, its absence selects the platform's. */
export const configScopeSchema = z.object({ merchantId: idSchema.optional() });

export const withdrawOverrideSchema = z.object({ merchantId: idSchema });

export const CONFIG_MAILS = ["asked", "cancelled", "applied"] as const;
export type ConfigMail = (typeof CONFIG_MAILS)[number];

export const configImpactSchema = configScopeSchema.extend({ dirhamsPerPoint: fields.shape.dirhamsPerPoint });

/** Selects one merchant's changes. The default is every change for administrators, and the visible ones for owners. */
export const configHistorySchema = pageSchema.extend({ merchantId: idSchema.optional() });
