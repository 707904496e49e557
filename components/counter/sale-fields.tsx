"use client";

import { useTranslations } from "next-intl";
import { Input } from "@/components/ui/input";
import { cn } from "@/components/ui/utils";
import type { Tender } from "@/lib/ledger/model/tender";

/** How the customer pays a top-up, of the ways that the merchant accepts. */
export function TenderChoice({
  tenders,
  value,
  disabled,
  onChange,
}: {
  tenders: readonly Tender[];
  value: Tender;
  disabled: boolean;
  onChange: (tender: Tender) => void;
}) {
  const t = useTranslations("movements");
  return (
    <fieldset disabled={disabled} className="flex rounded-lg bg-muted p-1 short:p-0">
      <legend className="sr-only">{t("tender")}</legend>
      {tenders.map((tender) => (
        <button
          key={tender}
          type="button"
          className={cn(
            "min-h-11 min-w-0 flex-1 basis-auto rounded-md px-1.5 font-medium",
            tenders.length > 3 ? "text-xs sm:text-sm" : "text-sm",
            value === tender
              ? "bg-card text-foreground shadow-sm ring-1 ring-border ring-inset"
              : "text-muted-foreground hover:text-foreground",
          )}
          aria-pressed={value === tender}
          onClick={() => onChange(tender)}
        >
          {t(`tenders.${tender}`)}
        </button>
      ))}
    </fieldset>
  );
}

/** The shop's own bill number, where there is one. */
export function SaleRefInput({
  value,
  disabled,
  onChange,
}: {
  value: string;
  disabled: boolean;
  onChange: (saleRef: string) => void;
}) {
  const t = useTranslations("counter");
  return (
    <Input
      aria-label={t("saleRef")}
      placeholder={t("saleRef")}
      autoComplete="off"
      enterKeyHint="done"
      maxLength={64}
      value={value}
      disabled={disabled}
      className="h-10"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
