import { freezeUrl } from "@/lib/customers/freeze-token";
import type { Db } from "@/lib/db/client";
import { DEFAULT_LOCALE, isLocale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email";

const selection = {
  id: true,
  type: true,
  points: true,
  balanceAfter: true,
  rate: true,
  createdAt: true,
  branch: { select: { name: true } },
  customer: { select: { id: true, fullName: true, email: true, locale: true } },
  merchant: { select: { businessName: true } },
} as const;

/** Mails the customer a movement's receipt in their language. Repeating it changes nothing: the movement's id names the e-mail. */
export async function sendReceipt(db: Db, movementId: string): Promise<void> {
  const movement = await db.movement.findUnique({ where: { id: movementId }, select: selection });
  if (!movement?.customer.email) return;
  const { id, customer, merchant, branch, createdAt } = movement;
  const to = movement.customer.email;
  const params = {
    merchant: merchant.businessName,
    name: customer.fullName,
    kind: movement.type,
    points: movement.points,
    balance: movement.balanceAfter,
    rate: movement.rate,
    branch: branch.name,
    at: createdAt,
    reference: id,
    notMeUrl: freezeUrl(customer.id, createdAt),
  };
  const locale = isLocale(customer.locale) ? customer.locale : DEFAULT_LOCALE;
  await db.$transaction((tx) => queueEmail(tx, { id, to, template: "receipt", params, locale }));
}
