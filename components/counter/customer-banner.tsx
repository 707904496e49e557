import { UserRoundIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { displayPhone } from "@/lib/domain/phone";
import type { CounterCustomer } from "./types";

/** Who stands at the counter, large enough to be read at a glance. */
export function CustomerBanner({ customer }: { customer: CounterCustomer }) {
  const t = useTranslations("counter");
  const contact = customer.phone ? displayPhone(customer.phone) : (customer.email ?? t("noEmail"));
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-primary-soft text-primary-strong">
        <UserRoundIcon className="size-5" aria-hidden />
      </span>
      <div className="min-w-0">
        <p className="truncate font-semibold text-lg leading-tight">
          <bdi>{customer.fullName || t("unknownCustomer")}</bdi>
        </p>
        <p className="truncate text-muted-foreground text-sm">
          <bdi dir="ltr">{contact}</bdi>
          {" · "}
          <bdi>{customer.merchant?.businessName || t("unknownMerchant")}</bdi>
        </p>
      </div>
    </div>
  );
}
