import { createHash } from "node:crypto";
import type { Db } from "@/lib/db/client";
import { type Outcome, type Posting, postBatch } from "@/lib/ledger/batch";
import type { House } from "./people";
import { type Planned, planOf } from "./plan";

/** The ids behind the plan's indexes. */
export type Roster = { customers: string[]; branches: string[]; workers: string[]; owner: string };

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** An amount by a worker's hand is proved by the card's live code, as at a real counter. */
function postingOf(visit: Planned, roster: Roster, merchantId: string): Posting {
  const actor = (visit.staff < 0 ? roster.owner : roster.workers[visit.staff]) ?? roster.owner;
  const proof = visit.type === "REDEEM" ? ({ proof: "live_code", proofRef: visit.key } as const) : {};
  return {
    type: visit.type,
    customer: roster.customers[visit.customer],
    branch: roster.branches[visit.branch],
    points: visit.points,
    actor,
    scope: "merchant",
    scopeMerchant: merchantId,
    key: visit.key,
    hash: hashOf(visit.key),
    at: visit.at,
    ...proof,
  };
}

function undoOf(visit: Planned, actor: string, reverses: string, merchantId: string): Posting {
  const key = `${visit.key}-undo`;
  const at = new Date(visit.at.getTime() + 45_000);
  return {
    type: "REVERSAL",
    reverses,
    reason: visit.staff < 0 ? "Wrong amount" : undefined,
    actor,
    scope: visit.staff < 0 ? "merchant" : "own",
    scopeMerchant: merchantId,
    key,
    hash: hashOf(key),
    at,
  };
}

/** Every posting of the demo must be there: a refusal means that the plan is wrong. */
function movementOf(outcome: Outcome | undefined, key: string): string {
  if (outcome && "movement" in outcome) return outcome.movement.id;
  throw new Error(`The demo's movement ${key} was refused: ${outcome?.outcome ?? "no answer"}`);
}

/**
 * Posts a house's sixty days through the ledger, in order of time, with the mistakes that its staff undid.
 * What an earlier run posted is answered again and changes nothing.
 */
export async function seedMovements(
  db: Db,
  house: House,
  merchantId: string,
  roster: Roster,
  until: Date,
): Promise<void> {
  const plan = planOf(house, until, house.key.length * 7_919 + house.customers.length);
  const newest = plan.at(-1);
  if (!newest) return;
  const posted = await db.movement.findFirst({
    where: { merchantId, idempotencyKey: newest.undone ? `${newest.key}-undo` : newest.key },
    select: { id: true },
  });
  if (posted) return;
  let batch: Planned[] = [];
  for (const visit of plan) {
    batch.push(visit);
    if (!visit.undone && visit !== newest) continue;
    const postings = batch.map((one) => postingOf(one, roster, merchantId));
    const outcomes = await postBatch(db, postings, { quiet: true });
    const ids = batch.map((one, index) => movementOf(outcomes[index], one.key));
    if (visit.undone) {
      const undo = undoOf(visit, postings.at(-1)?.actor ?? "", ids.at(-1) ?? "", merchantId);
      const [outcome] = await postBatch(db, [undo], { quiet: true });
      movementOf(outcome, undo.key);
    }
    batch = [];
  }
}
