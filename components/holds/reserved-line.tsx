import { HourglassIcon } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { formatQar } from "@/lib/domain/money";
import type { ReservedNow } from "@/lib/holds/model";

/** How much of what is owed other software reserves at this moment, with a link to each hold. */
export function ReservedLine({ reserved: { holds, cashValue } }: { reserved: ReservedNow }) {
  const t = useTranslations("holds");
  const locale = useLocale();
  return (
    <p className="mb-5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <HourglassIcon className="size-4 shrink-0 text-muted-foreground" aria-hidden />
      <span>
        {holds > 0 ? t("now", { amount: formatQar(cashValue, locale), count: holds }) : t("nowNone")}
      </span>
      <Link
        href={holds > 0 ? "/merchant/liability/holds" : "/merchant/liability/holds?state=all"}
        className="touch text-link underline underline-offset-4"
      >
        {t("see")}
      </Link>
    </p>
  );
}
