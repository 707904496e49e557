import { getTranslations } from "next-intl/server";
import type { Chip } from "@/components/data/filter-bar";
import type { PageContext } from "@/lib/api/page";
import { customerProfile } from "@/lib/customers/customer";
import { customerIdSchema } from "@/lib/customers/model/customers";
import { nullIfRefused } from "@/lib/domain/errors";
import { scopeOf } from "@/lib/domain/policy";

/** The customer that a list is narrowed to, as a chip: by name, or by the start of the id outside the user's reach. */
export async function customerChip(ctx: PageContext, customerId: string | undefined): Promise<Chip[]> {
  if (!customerId) return [];
  const t = await getTranslations("customers");
  const chip = { name: "customerId", label: t("one"), value: customerId.slice(0, 8) };
  if (scopeOf(ctx.actor.role, "customers.read") === null) return [chip];
  const customer = await customerProfile(ctx, customerIdSchema.parse({ customerId })).catch(nullIfRefused);
  if (!customer) return [chip];
  return [{ ...chip, value: customer.status === "erased" ? t("erasedName") : customer.fullName }];
}
