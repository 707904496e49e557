import type { Db, Tx } from "@/lib/db/client";
import { DomainError } from "@/lib/domain/errors";
import { MERCHANT_REF } from "@/lib/domain/localized-names";
import { localeOr } from "@/lib/domain/roles";
import { coloursOfMerchant } from "@/lib/files/picture-colour";
import { pocketsOf, reservedOf } from "@/lib/ledger/pockets";
import { newSecret } from "@/lib/secrets/secrets";

const selection = {
  serial: true,
  authToken: true,
  changedAt: true,
  voidedAt: true,
  customer: {
    select: {
      id: true,
      publicId: true,
      code: true,
      fullName: true,
      locale: true,
      registeredAt: true,
      merchant: { select: { ...MERCHANT_REF, imageKey: true, logoKey: true, colour: true } },
    },
  },
} as const;

/** The data of a wallet pass, by its serial or its customer; null when the pass does not exist. */
export async function readPassCard(db: Db, where: { serial: string } | { customerId: string }) {
  const row = await db.pass.findUnique({ where, select: selection });
  if (!row) return null;
  const { customer, voidedAt, ...pass } = row;
  const now = new Date();
  const [pockets, holds] = await Promise.all([
    pocketsOf(db, customer.id, now),
    reservedOf(db, customer.id, now),
  ]);
  const [config] = await db.$queryRaw<{ rate: number }[]>`
    select dirhams_per_point as rate from points_config_in_force(${customer.merchant.id}::uuid)`;
  if (!config) throw new Error("no points configuration is in force");
  return {
    ...pass,
    voided: voidedAt !== null,
    ...customer,
    locale: localeOr(customer.locale),
    merchant: { ...customer.merchant, colours: await coloursOfMerchant(db, customer.merchant) },
    /** The points that can be spent now: the balance without what open holds reserve. */
    available: Math.max(0, pockets.paid + pockets.bonus - holds.reduce((sum, { points }) => sum + points, 0)),
    /** The open holds; the first to end is first. */
    holds,
    endsNext: pockets.endsNext,
    dirhamsPerPoint: config.rate,
  };
}

export type PassCard = NonNullable<Awaited<ReturnType<typeof readPassCard>>>;

/** A pass, issued by the first call; `google`: saved there. Throws customer_not_found, customer_erased. */
export async function passOfCard(db: Db, customerId: string, { google = false } = {}): Promise<PassCard> {
  const customer = await db.customer.findUnique({ where: { id: customerId }, select: { status: true } });
  if (!customer) throw new DomainError("customer_not_found");
  if (customer.status === "erased") throw new DomainError("customer_erased");
  const { serial } = await issuePass(db, customerId);
  if (google)
    await db.pass.update({ where: { serial }, data: { googleSaved: true }, select: { serial: true } });
  const card = await readPassCard(db, { serial });
  if (!card) throw new DomainError("customer_not_found");
  return card;
}

/** The pass of a customer, created on the first call. Concurrent calls get the same pass. */
export async function issuePass(db: Db | Tx, customerId: string): Promise<{ serial: string }> {
  return db.pass.upsert({
    where: { customerId },
    // Apple requires at least 16 characters.
    create: { customerId, authToken: newSecret(), changedAt: new Date() },
    update: {},
    select: { serial: true },
  });
}
