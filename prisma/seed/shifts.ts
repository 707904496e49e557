import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import { giveNotice } from "@/lib/audit/notices";
import type { Db, Tx } from "@/lib/db/client";
import { qatarDay } from "@/lib/domain/time";
import type { PlannedVisit } from "./plan";

const MINUTE = 60_000;
const DAYS = 3;
/** Dirhams: in the drawer at the opening, paid out of it, and missing beyond the merchant's tolerance. */
const FLOAT = 20_000;
const MILK = 1_550;
const MISSING = 300;

export type ShiftDay = {
  visits: PlannedVisit[];
  opensAt: Date;
  paysAt: Date;
  /** Null: the shop is still open. */
  closesAt: Date | null;
  /** Whether the count finds too little cash. */
  short: boolean;
};

export type DemoCounter = { merchantId: string; branch: string; worker: string; owner: string };
type DemoTill = DemoCounter & { id: string; name: string };

/** Whether a visit is served at the till: by the worker of the first branch. */
export const isAtTill = ({ branch, staff }: PlannedVisit): boolean => branch === 0 && staff >= 0;

/** Splits a plan up to `now` into the visits before the till was there, and its last days, each with a shift. */
export function planShifts(
  plan: readonly PlannedVisit[],
  now: Date,
): { before: PlannedVisit[]; days: ShiftDay[] } {
  const served = [...new Set(plan.filter(isAtTill).map(({ at }) => qatarDay(at)))].slice(-DAYS);
  const starts = served.map((day) => plan.findIndex(({ at }) => qatarDay(at) === day));
  const days = starts.map((start, nth): ShiftDay => {
    const visits = plan.slice(start, starts[nth + 1]);
    const times = visits.filter(isAtTill).map(({ at }) => at.getTime());
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    return {
      visits,
      opensAt: new Date(first - 15 * MINUTE),
      paysAt: new Date(times[Math.floor(times.length / 2)] ?? first),
      closesAt: served[nth] === qatarDay(now) ? null : new Date(last + 15 * MINUTE),
      short: nth === 1,
    };
  });
  return { before: plan.slice(0, starts[0]), days };
}

/** Adds the till, a day before its first shift. Its key is kept nowhere: to use it, a browser has to be paired. */
async function addTill(tx: Tx, { id, name, merchantId, branch }: DemoTill, firstShift: Date): Promise<void> {
  const { publicKey } = await generateKeyPair("ES256");
  const jwk = await exportJWK(publicKey);
  const createdAt = new Date(firstShift.getTime() - 24 * 60 * MINUTE);
  const key = { publicKey: { ...jwk }, thumbprint: await calculateJwkThumbprint(jwk) };
  const data = { id, name, merchantId, branchId: branch, createdAt, pairedAt: createdAt, ...key };
  await tx.till.create({ data, select: { id: true } });
}

/** Throws an Error if a function of the database refused what the plan asks. */
function expectOutcome(outcome: string | undefined, expected: string): void {
  if (outcome !== expected)
    throw new Error(`The demo's shift was not ${expected}: ${outcome ?? "no answer"}`);
}

/** The count of a drawer with this much missing (dirhams a tender). Payments online never pass a counter. */
async function countOf(tx: Tx, till: string, period: number, missing: number) {
  const taken = await tx.$queryRaw<{ tender: string; dirhams: bigint }[]>`
    select tender, dirhams from till_tenders(${till}::uuid, ${period}::int) where tender <> 'online'`;
  const dirhams = Object.fromEntries(taken.map((row) => [row.tender, Number(row.dirhams)]));
  return { ...dirhams, cash: FLOAT - MILK + (dirhams.cash ?? 0) - missing };
}

/** Counts the drawer and closes the shift; missing cash is reported to the owner, without an e-mail. */
async function countDrawer(
  tx: Tx,
  { id: tillId, merchantId, worker }: DemoTill,
  shift: { id: string; period: number; short: boolean; closesAt: Date },
): Promise<void> {
  const { drawerTolerance } = await tx.merchant.findUniqueOrThrow({
    where: { id: merchantId },
    select: { drawerTolerance: true },
  });
  const missing = shift.short ? drawerTolerance + MISSING : 0;
  const counted = JSON.stringify(await countOf(tx, tillId, shift.period, missing));
  const [closed] = await tx.$queryRaw<{ outcome: string }[]>`
    select outcome from close_shift(${shift.id}::uuid, ${merchantId}::uuid, null::uuid, ${counted}::jsonb,
      null::text, 0, ${worker}::uuid, ${shift.closesAt}::timestamptz)`;
  expectOutcome(closed?.outcome, "closed");
  if (missing === 0) return;
  await giveNotice(tx, {
    kind: "drawer_difference",
    merchantId,
    userId: worker,
    tillId,
    recordId: shift.id,
    amount: -missing,
    createdAt: shift.closesAt,
  });
}

/** Runs the shift `period`, from 1, with `post`, unless it is there. Throws an Error if refused. */
export async function seedShift(
  db: Db,
  till: DemoTill,
  period: number,
  { opensAt, paysAt, closesAt, short }: ShiftDay,
  post: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { id: tillId, merchantId, worker, owner } = till;
  if ((await db.shift.count({ where: { tillId, period } })) > 0) return;
  await db.$transaction(async (tx) => {
    if (period === 1) await addTill(tx, till, opensAt);
    const [opened] = await tx.$queryRaw<{ outcome: string; id: string }[]>`
      select outcome, shift_id::text as id from open_shift(${tillId}::uuid, ${merchantId}::uuid, ${FLOAT}::int,
        ${worker}::uuid, ${opensAt}::timestamptz)`;
    expectOutcome(opened?.outcome, "opened");
    const id = opened?.id ?? "";
    await post(tx);
    const [paid] = await tx.$queryRaw<{ outcome: string }[]>`
      select outcome from move_drawer(${id}::uuid, ${merchantId}::uuid, null::uuid, 'pay_out', ${MILK}::int, 'Milk',
        ${owner}::uuid, ${`demo-till-${tillId}-${period}-milk`}, ${paysAt}::timestamptz)`;
    expectOutcome(paid?.outcome, "moved");
    if (closesAt) await countDrawer(tx, till, { id, period, short, closesAt });
  });
}
