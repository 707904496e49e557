import type { PointsRules, RulesInForce } from "./points";

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
