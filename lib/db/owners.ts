import { type Locale, localeOr } from "@/lib/domain/roles";
import type { Tx } from "./client";

export type Owner = { email: string; firstName: string; locale: Locale };

/** The active owners of a merchant, the oldest account first, with the language of their e-mails. */
export async function activeOwners(tx: Tx, merchantId: string): Promise<Owner[]> {
  const owners = await tx.user.findMany({
    where: { merchantId, role: "merchant_owner", status: "active" },
    orderBy: { createdAt: "asc" },
    select: { email: true, firstName: true, locale: true },
  });
  return owners.map((owner) => ({ ...owner, locale: localeOr(owner.locale) }));
}
