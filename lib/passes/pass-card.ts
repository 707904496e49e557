import type { CardColours } from "@/lib/cards/model/card-colours";
import type { Db, Tx } from "@/lib/db/client";
import { MERCHANT_REF, type MerchantRef } from "@/lib/domain/merchant-name";
import { type Locale, localeOr } from "@/lib/domain/roles";
import { coloursOfMerchant } from "@/lib/files/picture-colour";
import type { Pockets, ReservedPoints } from "@/lib/ledger/model/movements";
import { pocketsOf, reservedOf } from "@/lib/ledger/pockets";
import { newPassToken } from "@/lib/secrets/secrets";

/** The data of a wallet pass: the texts and figures of the card, and the pass's serial and token. */
export type PassCard = {
  customerId: string;
  publicId: string;
  code: string | null;
  fullName: string;
  email: string | null;
  locale: Locale;
  /** What can be spent now, in points: the balance without what open holds reserve. */
  available: number;
  /** The open holds; the first to end is first. */
  holds: ReservedPoints[];
  endsNext: Pockets["endsNext"];
  dirhamsPerPoint: number;
  registeredAt: Date;
  merchant: MerchantRef & {
    imageKey: string | null;
    logoKey: string | null;
    colour: string | null;
    colours: CardColours;
  };
  serial: string;
  authToken: string;
  changedAt: Date;
  voided: boolean;
};

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
      email: true,
      locale: true,
      registeredAt: true,
      merchant: { select: { ...MERCHANT_REF, imageKey: true, logoKey: true, colour: true } },
    },
  },
} as const;

/** Answers the data of a pass, by its serial or its customer; null when the pass does not exist. */
export async function readPassCard(
  db: Db,
  where: { serial: string } | { customerId: string },
): Promise<PassCard | null> {
  const row = await db.pass.findUnique({ where, select: selection });
  if (!row) return null;
  const { customer } = row;
  const now = new Date();
  const [pockets, holds] = await Promise.all([
    pocketsOf(db, customer.id, now),
    reservedOf(db, customer.id, now),
  ]);
  const [config] = await db.$queryRaw<{ rate: number }[]>`
    select dirhams_per_point as rate from points_config_in_force(${customer.merchant.id}::uuid)`;
  if (!config) throw new Error("no points configuration is in force");
  return {
    customerId: customer.id,
    publicId: customer.publicId,
    code: customer.code,
    fullName: customer.fullName,
    email: customer.email,
    locale: localeOr(customer.locale),
    available: Math.max(0, pockets.paid + pockets.bonus - holds.reduce((sum, { points }) => sum + points, 0)),
    holds,
    endsNext: pockets.endsNext,
    dirhamsPerPoint: config.rate,
    registeredAt: customer.registeredAt,
    merchant: { ...customer.merchant, colours: await coloursOfMerchant(db, customer.merchant) },
    serial: row.serial,
    authToken: row.authToken,
    changedAt: row.changedAt,
    voided: row.voidedAt !== null,
  };
}

/** The pass of a customer, created on the first call. Concurrent calls get the same pass. */
export async function issuePass(db: Db | Tx, customerId: string): Promise<{ serial: string }> {
  return db.pass.upsert({
    where: { customerId },
    create: { customerId, authToken: newPassToken(), changedAt: new Date() },
    update: {},
    select: { serial: true },
  });
}
