import type { Posting } from "@/lib/ledger/batch";
import type { ModelBranch, ModelCard, ModelKey, ModelMove, ModelTill, Staff } from "./ledger-model-types";

type Known = { branches: Map<string, ModelBranch>; tills: Map<string, ModelTill>; staff: Map<string, Staff> };

function outOfReach(
  known: Known,
  row: Posting,
  card: ModelCard | undefined,
  original: ModelMove | undefined,
): string | null {
  const gives = row.type === "REVERSAL" || row.type === "REFUND";
  if (!card || (gives && !original)) return "not_found";
  if (!row.actorType && !known.staff.has(row.actor)) return "not_found";
  if (row.scope !== "any" && row.scopeMerchant !== card.shop.id) return "not_found";
  if (row.scope === "own" && (!row.actor || original?.staff !== row.actor)) return "not_found";
  if (row.namedMerchant && row.namedMerchant !== card.shop.id) return "branch_mismatch";
  const branchId = (gives ? original?.branch : null) ?? row.branch ?? null;
  const nowhere = row.actorType === "card_holder" || row.actorType === "system" || row.type === "REVERSAL";
  if (row.actorType === "card_holder" && branchId) return "branch_mismatch";
  if (!branchId && nowhere) return null;
  const branch = known.branches.get(branchId ?? "");
  if (branch?.shop !== card.shop) return "branch_mismatch";
  const opens = row.type === "TOP_UP" || row.type === "REDEEM" || row.type === "BONUS";
  return opens && !row.hold && branch.archived ? "branch_mismatch" : null;
}

function atTill(known: Known, row: Posting, card: ModelCard | undefined): string | null {
  if (!row.till)
    return card?.shop.tillRequired && known.staff.get(row.actor ?? "")?.worker ? "till_required" : null;
  const till = known.tills.get(row.till);
  if (till?.shop !== card?.shop) return "branch_mismatch";
  return till?.retired && !row.late ? "till_retired" : null;
}

/** Why an API key may not post at all; null when it may. */
export function keyRefusal(
  keys: Map<string, ModelKey>,
  row: Posting,
  card: ModelCard | undefined,
  original: ModelMove | undefined,
): string | null {
  if (!row.apiKey) return null;
  const key = keys.get(row.apiKey);
  if (key?.shop !== card?.shop) return "not_found";
  if (key?.revoked) return "key_revoked";
  const branch = original?.branch ?? row.branch;
  return key?.branch && branch && key.branch !== branch ? "branch_mismatch" : null;
}

/** Why a posting is refused by who posts it, where and at which till; null when they may. */
export const unreachable = (
  known: Known,
  row: Posting,
  card: ModelCard | undefined,
  original: ModelMove | undefined,
): string | null => outOfReach(known, row, card, original) ?? atTill(known, row, card);
