import type { PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { assertCardHolder } from "./card-holder";

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
