import { createHash } from "node:crypto";
import { audit } from "@/lib/audit/audit";
import { GIVEN_UP_REASON } from "@/lib/cards/erase-card";
import { newCustomerCode } from "@/lib/customers/model/customer-code";
import type { Db, Tx } from "@/lib/db/client";
import { type Outcome, type Posting, postBatch } from "@/lib/ledger/batch";
import type { DemoMerchant } from "./people";
import { type PlannedVisit, planVisits } from "./plan";
import { type DemoCounter, isAtTill, planShifts, seedShift } from "./shifts";

export type DemoIds = {
  merchant: string;
  customers: string[];
  branches: string[];
  workers: string[];
  owner: string;
  erased: string | null;
  till: { id: string; name: string } | null;
};

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The posting of a planned visit. A redemption is proved by the card's live code, as at a real counter. */
function postingOf(visit: PlannedVisit, ids: DemoIds, till?: string): Posting {
  const actor = (visit.staff < 0 ? ids.owner : ids.workers[visit.staff]) ?? ids.owner;
  const proof = visit.type === "REDEEM" ? ({ proof: "live_code", proofRef: visit.key } as const) : {};
  return {
    type: visit.type,
    customer: ids.customers[visit.customer],
    branch: ids.branches[visit.branch],
    points: visit.points,
    actor,
    scope: "merchant",
    scopeMerchant: ids.merchant,
    key: visit.key,
    hash: hashOf(visit.key),
    at: visit.at,
    tender: visit.tender,
    saleRef: visit.saleRef,
    reason: visit.reason,
    endsAt: visit.endsAt,
    till: isAtTill(visit) ? till : undefined,
    ...proof,
  };
}

/** The key and the time of what the staff did about a visit so many seconds later. */
function laterThan({ key: visitKey, at }: PlannedVisit, name: "undo" | "refund", seconds: number) {
  const key = `${visitKey}-${name}`;
  return { key, hash: hashOf(key), at: new Date(at.getTime() + seconds * 1_000) };
}

/** The id of the posted movement. Throws an Error if it was refused, which means that the plan is wrong. */
function movementOf(outcome: Outcome | undefined, key: string): string {
  if (outcome && "movement" in outcome) return outcome.movement.id;
  throw new Error(`The demo's movement ${key} was refused: ${outcome?.outcome ?? "no answer"}`);
}

/** Posts visits with what the staff undid and refunded of them. Those at the till are posted there, if there is one. */
async function postVisits(
  db: Db | Tx,
  visits: readonly PlannedVisit[],
  ids: DemoIds,
  till?: string,
): Promise<void> {
  let batch: PlannedVisit[] = [];
  for (const visit of visits) {
    batch.push(visit);
    if (!visit.undone && !visit.refunded && visit !== visits.at(-1)) continue;
    const postings = batch.map((planned) => postingOf(planned, ids, till));
    const outcomes = await postBatch(db, postings, { quiet: true });
    const movementIds = batch.map((planned, index) => movementOf(outcomes[index], planned.key));
    const last = movementIds.at(-1) ?? "";
    const { actor = "", till: at } = postings.at(-1) ?? {};
    const answers: Posting[] = [];
    if (visit.undone) {
      const own = visit.staff >= 0;
      answers.push({
        ...laterThan(visit, "undo", 45),
        type: "REVERSAL",
        reverses: last,
        reason: own ? undefined : "Wrong amount",
        actor,
        scope: own ? "own" : "merchant",
        scopeMerchant: ids.merchant,
        till: at,
      });
    }
    if (visit.refunded) {
      answers.push({
        ...laterThan(visit, "refund", 4 * 60),
        type: "REFUND",
        refunds: last,
        points: visit.refunded,
        reason: "Returned",
        actor: ids.owner,
        scope: "merchant",
        scopeMerchant: ids.merchant,
      });
    }
    for (const answer of answers) {
      const [outcome] = await postBatch(db, [answer], { quiet: true });
      movementOf(outcome, answer.key);
    }
    batch = [];
  }
}

/** Posts sixty days in order of time. Repeating changes nothing. Throws an Error if one is refused. */
export async function seedMovements(db: Db, demo: DemoMerchant, ids: DemoIds, until: Date): Promise<void> {
  const plan = planVisits(demo, until, demo.key.length * 7_919 + demo.customers.length);
  const newest = plan.at(-1);
  if (!newest) return;
  const after = newest.undone ? "-undo" : newest.refunded ? "-refund" : "";
  const posted = await db.movement.findFirst({
    where: { merchantId: ids.merchant, idempotencyKey: `${newest.key}${after}` },
    select: { id: true },
  });
  // Days that are posted may already have daily sums, so nothing is added to them.
  if (posted) return;
  const [branch = "", worker = ""] = [ids.branches[0], ids.workers[0]];
  const counter = { merchantId: ids.merchant, branch, worker, owner: ids.owner };
  if (ids.erased) await seedErasedCustomer(db, ids.erased, demo.key, counter, until);
  if (!ids.till) return postVisits(db, plan, ids);
  const { before, days } = planShifts(plan, until);
  await postVisits(db, before, ids);
  const till = { ...ids.till, ...counter };
  for (const [nth, day] of days.entries())
    await seedShift(db, till, nth + 1, day, (tx) => postVisits(tx, day.visits, ids, till.id));
}

const DAY = 86_400_000;

/** A customer who deleted the card six days before `until`. The id may be known, since it gives no access. */
async function seedErasedCustomer(
  db: Db,
  id: string,
  key: string,
  { merchantId, branch, worker }: DemoCounter,
  until: Date,
): Promise<void> {
  const daysBefore = (days: number) => new Date(until.getTime() - days * DAY);
  const ofCard = { customer: id, scope: "merchant", scopeMerchant: merchantId } as const;
  const atCounter = { ...ofCard, branch, actor: worker };
  const oneOf = (name: string, daysAgo: number) => {
    const own = `demo-${key}-erased-${name}`;
    return { key: own, hash: own, at: daysBefore(daysAgo) };
  };
  const proved = { proof: "live_code", proofRef: key } as const;
  const givenUp = { actorType: "card_holder", reason: GIVEN_UP_REASON } as const;
  const postings: Posting[] = [
    { ...atCounter, ...oneOf("topup", 30), type: "TOP_UP", points: 100 },
    { ...atCounter, ...oneOf("redeem", 21), ...proved, type: "REDEEM", points: 34 },
    { ...ofCard, ...oneOf("given-up", 6), ...givenUp, type: "ADJUSTMENT", points: -66 },
  ];
  await db.$transaction(async (tx) => {
    const asked = { registeredAt: daysBefore(75), consentAt: daysBefore(75) };
    const { count } = await tx.customer.createMany({
      data: [{ id, code: newCustomerCode(), merchantId, fullName: "–", ...asked }],
      skipDuplicates: true,
    });
    if (count === 0) return;
    const outcomes = await postBatch(tx, postings, { quiet: true });
    for (const [nth, outcome] of outcomes.entries()) movementOf(outcome, postings[nth]?.key ?? "");
    const erased = { status: "erased", erasedAt: daysBefore(6) } as const;
    await tx.customer.update({ where: { id }, data: erased, select: { id: true } });
    const holder = { type: "cardHolder", customerId: id, merchantId, deviceId: null } as const;
    const what = { merchantId, action: "customer.erased", entity: "customer", entityId: id } as const;
    await audit(tx, { actor: holder }, what);
  });
}
