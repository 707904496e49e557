import { randomPhone, uniqueEmail } from "./factories";
import type { LedgerWorld, Random } from "./ledger-world";

/** Changes something that posting reads, in the database and in the model. */
export async function change(world: LedgerWorld, dice: Random): Promise<void> {
  const { db, client } = world;
  const { chance, pick, below } = dice;
  const shop = pick(world.shops);
  const where = { where: { id: shop.id } };
  const what = below(16);
  if (what === 0) {
    shop.rules = {
      rate: pick([100, 100, 120, 90]),
      min: pick([1, 1, 5]),
      max: pick([5000, 300]),
      ...{
        maxBalance: pick([20_000, 5_000]),
        undo: pick([15, 15, 0]),
        cap: pick([null, null, 3_000]),
        own: true,
      },
    };
    const { rate, min, max, maxBalance, undo, cap } = shop.rules;
    await client.query(
      `INSERT INTO points_configs (merchant_id, version, dirhams_per_point, min_top_up, max_top_up, max_balance, undo_minutes, worker_daily_cap)
       SELECT $1, coalesce(max(version), 0) + 1, $2, $3, $4, $5, $6, $7 FROM points_configs WHERE merchant_id = $1`,
      [shop.id, rate, min, max, maxBalance, undo, cap],
    );
  } else if (what === 12) {
    shop.tillRequired = chance(0.3);
    await db.merchant.update({ ...where, data: { tillRequired: shop.tillRequired } });
  } else if (what === 13) {
    const till = pick([...world.model.tills.values()]);
    till.retired = chance(0.3);
    await db.till.update({ where: { id: till.id }, data: { retiredAt: till.retired ? new Date() : null } });
  } else if (what === 1) {
    shop.paidFirst = chance(0.4);
    await db.merchant.update({
      ...where,
      data: { spendOrder: shop.paidFirst ? "paid_first" : "bonus_first" },
    });
  } else if (what === 2) {
    shop.refundDays = pick([0, 1, 30]);
    await db.merchant.update({ ...where, data: { refundDays: shop.refundDays } });
  } else if (what === 3) {
    shop.suspended = chance(0.15);
    await db.merchant.update({ ...where, data: { suspendedAt: shop.suspended ? new Date() : null } });
  } else if (what === 4) {
    shop.approved = chance(0.9);
    await db.merchant.update({ ...where, data: { status: shop.approved ? "approved" : "rejected" } });
  } else if (what === 5) {
    const card = pick(world.cards);
    card.status = chance(0.7) ? "active" : pick(["blocked", "frozen"]);
    await db.customer.update({ where: { id: card.id }, data: { status: card.status } });
  } else if (what === 6) {
    const branch = pick([...world.model.branches.values()]);
    branch.archived = chance(0.2);
    await db.branch.update({
      where: { id: branch.id },
      data: { archivedAt: branch.archived ? new Date() : null },
    });
  } else if (what === 7) {
    shop.allowance = pick([400, 5_000, 50]);
    await db.merchant.update({ ...where, data: { redeemAllowance: shop.allowance } });
  } else if (what === 8) {
    shop.workerAllowance = pick([500, 0, 3_000, 1_000_000]);
    await db.merchant.update({ ...where, data: { unprovedWorkerDaily: shop.workerAllowance } });
  } else if (what === 9) {
    shop.defaultCap = pick([null, 2_000, 20_000]);
    await db.merchant.update({ ...where, data: { workerDailyCap: shop.defaultCap } });
  } else if (what === 10) {
    await replaceContact(world, dice);
  } else if (world.timed) await runJob(world, dice);
  else await endLot(world, dice);
}

/** The sweeper or the nightly job, by the world's clock. */
async function runJob({ client, model, cards, clock }: LedgerWorld, { chance }: Random): Promise<void> {
  const [job, due] = chance(0.5)
    ? [
        "lapse_holds",
        cards.filter(({ holds }) => holds.some((one) => one.state === "open" && one.expiresAt <= clock)),
      ]
    : [
        "expire_bonus",
        cards.filter(
          ({ shop, lots }) =>
            !shop.suspended &&
            lots.some(({ left, held, ends }) => left > held && ends !== null && ends <= clock),
        ),
      ];
  for (const card of due) model.tidy(card, clock);
  await client.query(`SELECT ${job}(1000, clock => $1)`, [new Date(clock)]);
}

/** A member of staff has another e-mail or phone: at times one that a card carries, at times the former one again. */
async function replaceContact({ db, ...world }: LedgerWorld, { chance, pick }: Random): Promise<void> {
  const staff = pick([...world.owners, ...world.workers]);
  const card = pick(world.cards);
  if (chance(0.5)) {
    const [former, next] = [staff.email, chance(0.1) ? card.email : uniqueEmail("staff")];
    if ([...world.model.staff.values()].some(({ email }) => email === next)) return;
    staff.former.add(former);
    staff.email = next;
    await db.user.update({ where: { id: staff.id }, data: { email: next } });
  } else {
    const next = chance(0.1) ? card.phone : randomPhone();
    if (next === staff.phone) return;
    staff.former.add(staff.phone);
    staff.phone = next;
    await db.user.update({ where: { id: staff.id }, data: { phone: next } });
  }
}

/** A lot ends: without waiting for it, by another end in both. */
async function endLot({ db, ...world }: LedgerWorld, { pick }: Random): Promise<void> {
  const lots = world.cards.flatMap((card) => card.lots).filter((lot) => lot.ends !== null && lot.move.id);
  if (lots.length === 0) return;
  const lot = pick(lots);
  lot.ends = Date.now() - 3_600_000;
  const { id } = lot.move;
  const end = new Date(lot.ends);
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL wallet.posting = 'on'`;
    await tx.$executeRaw`UPDATE lots SET ends_at = ${end}, granted_ends_at = ${end} WHERE movement_id = ${id}::uuid`;
  });
}
