"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { cn } from "@/components/ui/utils";
import { TENDERS, type Tender } from "@/lib/domain/tender";

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
    <fieldset disabled={disabled} className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{t("tender")}</legend>
      <div
        className={cn(
          "flex flex-wrap gap-2",
          // All five stand in two even rows on a phone.
          tenders.length === TENDERS.length &&
            "max-sm:grid max-sm:grid-cols-6 *:nth-[-n+3]:col-span-2 *:nth-[n+4]:col-span-3",
        )}
      >
        {tenders.map((tender) => (
          <Button
            key={tender}
            variant={value === tender ? "default" : "soft"}
            className="h-12 grow px-3"
            aria-pressed={value === tender}
            onClick={() => onChange(tender)}
          >
            {t(`tenders.${tender}`)}
          </Button>
        ))}
      </div>
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
  const t = useTranslations();
  return (
    <div className="grid gap-1.5">
      <Label htmlFor="counter-sale-ref">{t("counter.saleRef")}</Label>
      <Input
        id="counter-sale-ref"
        autoComplete="off"
        maxLength={64}
        value={value}
        disabled={disabled}
        className="h-12"
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
