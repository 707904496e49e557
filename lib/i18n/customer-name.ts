import type { Locale } from "@/lib/domain/roles";
import { translator } from "./translate";

type Named = { customer: { fullName: string }; customerErased?: boolean };

/** The name of a movement's customer as people read it: a general label where the card was deleted. */
export function customerNameOf({ customer, customerErased }: Named, locale: Locale): string {
  return customerErased ? translator(locale)("customers.erasedName") : customer.fullName;
}
