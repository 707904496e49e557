import { ChevronRightIcon, CornerDownLeftIcon } from "lucide-react";
import { useLocale } from "next-intl";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";
import { formatPhone } from "@/lib/domain/contact";
import { merchantName } from "@/lib/domain/merchant-name";
import { formatPoints } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import type { CounterHit } from "./types";

/** A customer that the search found. */
export function FoundRow({
  customer,
  withBusiness,
  busy,
  first,
  onChoose,
}: {
  customer: CounterHit;
  /** Shows the business, since one person may hold cards at several. */
  withBusiness: boolean;
  busy: boolean;
  /** Enter in the search field takes it. */
  first: boolean;
  onChoose: (customer: CounterHit) => void;
}) {
  const locale = useLocale() as Locale;
  const contact = [customer.phone && formatPhone(customer.phone), customer.email].filter(Boolean).join(" · ");
  return (
    <button
      type="button"
      data-hit
      disabled={busy}
      className="flex min-h-14 w-full items-center gap-3 px-4 py-2 text-start hover:bg-accent focus-visible:bg-accent focus-visible:outline-2 focus-visible:outline-ring focus-visible:-outline-offset-2"
      onClick={() => onChoose(customer)}
    >
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{customer.fullName}</bdi>
        <bdi className="block truncate text-muted-foreground text-sm">{contact}</bdi>
        {withBusiness && (
          <bdi className="block truncate text-muted-foreground text-sm">{merchantName(customer, locale)}</bdi>
        )}
      </span>
      <span className="shrink-0 font-semibold tabular-nums">{formatPoints(customer.balance, locale)}</span>
      {busy ? (
        <Spinner className="size-4" />
      ) : (
        <>
          {first && (
            <CornerDownLeftIcon
              className="hidden size-4 shrink-0 text-muted-foreground pointer-fine:block"
              aria-hidden
            />
          )}
          <ChevronRightIcon
            className={cn(
              "size-4 shrink-0 text-muted-foreground rtl:-scale-x-100",
              first && "pointer-fine:hidden",
            )}
            aria-hidden
          />
        </>
      )}
    </button>
  );
}
