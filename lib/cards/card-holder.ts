import type { Db, Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { cardSchema } from "@/lib/domain/card-holder";
import { DomainError } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { hashSecret, newSecret } from "@/lib/secrets/secrets";

/** Makes this device one of the card holder's. Answers the secret for its cookie: only the hash is kept. */
export async function addCardHolder(tx: Tx, customerId: string, now: Date): Promise<string> {
  const token = newSecret();
  const data = { customerId, tokenHash: hashSecret(token), createdAt: now };
  await tx.cardHolder.create({ data, select: { id: true } });
  return token;
}

/** Whether the secret is of a device of this card's holder. */
export async function isCardHolder(db: Db, customerId: string, token: string | undefined): Promise<boolean> {
  if (!token) return false;
  const found = await db.cardHolder.findFirst({
    where: { customerId, tokenHash: hashSecret(token) },
    select: { id: true },
  });
  return found !== null;
}

/** Throws card_holder_required unless the secret is of a device of this card's holder. */
export async function assertCardHolder(db: Db, customerId: string, token: string | undefined): Promise<void> {
  if (!(await isCardHolder(db, customerId, token))) throw new DomainError("card_holder_required");
}

/** Keeps the language in which the holder is written to. Throws card_holder_required. */
export async function setCardLocale(
  ctx: PublicContext,
  input: { customerId: string; holder?: string; locale: Locale },
): Promise<{ locale: Locale }> {
  await assertCardHolder(ctx.db, input.customerId, input.holder);
  await ctx.db.customer.updateMany({
    where: { id: input.customerId, status: { not: "erased" } },
    data: { locale: input.locale },
  });
  return { locale: input.locale };
}
setCardLocale.permission = "public" as const;

const movement = {
  id: true,
  type: true,
  points: true,
  balanceAfter: true,
  rate: true,
  reason: true,
  createdAt: true,
  branch: { select: { name: true, city: true } },
} as const;

const customer = {
  id: true,
  publicId: true,
  fullName: true,
  email: true,
  phone: true,
  dateOfBirth: true,
  locale: true,
  status: true,
  balance: true,
  consentAt: true,
  registeredAt: true,
  merchant: { select: { businessName: true } },
  holders: { select: { createdAt: true } },
  pass: { select: { createdAt: true, googleSaved: true } },
  movements: { select: movement, orderBy: { seq: "asc" } },
} as const;

/** Everything that is kept about a card's holder, for them to take along. Throws card_holder_required. */
export async function myData(ctx: PublicContext, input: { customerId: string; holder?: string }) {
  await assertCardHolder(ctx.db, input.customerId, input.holder);
  const row = await ctx.db.customer.findFirst({
    where: { id: input.customerId, status: { not: "erased" } },
    select: customer,
  });
  if (!row) throw new DomainError("customer_not_found");
  const { holders, pass, movements, dateOfBirth, merchant, ...own } = row;
  return {
    exportedAt: ctx.clock(),
    merchant: merchant.businessName,
    customer: { ...own, dateOfBirth: dateOfBirth?.toISOString().slice(0, 10) ?? null },
    devices: holders.map((device) => ({ since: device.createdAt })),
    walletPass: pass,
    movements: movements.map((row) => ({ ...row, dirhamsPerPoint: row.rate })),
  };
}
myData.permission = "public" as const;
myData.input = cardSchema;
myData.errors = ["customer_not_found", "card_holder_required"] as const;
