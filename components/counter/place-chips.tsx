"use client";

import { StoreIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { cn } from "@/components/ui/utils";
import type { BranchChoice, MerchantChoice } from "@/lib/counter/model/counter";
import { branchName } from "@/lib/domain/branch-name";
import { type MerchantNames, merchantName } from "@/lib/domain/merchant-name";
import type { Place } from "./attempt";

/** A chip's look; its touch target is 44 px high. */
const chip =
  "relative h-8 w-auto max-w-full gap-1.5 short:pointer-coarse:h-8 short:min-h-0 short:min-w-0 rounded-full px-3 py-0 font-medium text-sm shadow-none before:absolute before:inset-x-0 before:-inset-y-1.5 md:text-sm";

function ChipSelect({
  label,
  value,
  name,
  placeholder,
  disabled,
  onChange,
  children,
}: {
  label: string;
  value: string;
  /** The name of the selected value. */
  name: string | undefined;
  placeholder: string;
  disabled: boolean;
  onChange: (id: string) => void;
  children: ReactNode;
}) {
  return (
    <Select value={value} onValueChange={onChange} disabled={disabled}>
      <SelectTrigger
        aria-label={label}
        title={name}
        className={cn(chip, value === "" && "border-warning bg-warning-soft text-warning-strong")}
      >
        <SelectValue placeholder={placeholder}>{name}</SelectValue>
      </SelectTrigger>
      <SelectContent>{children}</SelectContent>
    </Select>
  );
}

/**
 * Chooses the merchant and branch at which the movement is posted. With `merchants` (super_admin) the
 * merchant is chosen first, and changing it clears the branch. Without it, a single branch is shown as text
 * and several as a choice.
 */
export function PlaceChips({
  merchants,
  branches,
  place,
  disabled,
  onChange,
}: {
  merchants: MerchantChoice[] | null;
  branches: BranchChoice[];
  place: Place;
  disabled: boolean;
  onChange: (place: Place) => void;
}) {
  const t = useTranslations("counter");
  const locale = useLocale();
  const [only] = branches;
  const chosen = branches.find(({ id }) => id === place.branchId);
  if (!merchants && only && branches.length === 1 && place.branchId === only.id) {
    return (
      <p
        title={branchName(only, locale)}
        className="flex min-h-8 min-w-0 items-center gap-1.5 text-muted-foreground text-sm"
      >
        <StoreIcon className="size-4 shrink-0" aria-hidden />
        <bdi className="wrap-anywhere leading-tight short:truncate">{branchName(only, locale)}</bdi>
      </p>
    );
  }
  const nameOf = (merchant: MerchantNames | undefined) =>
    (merchant && merchantName(merchant, locale)) || t("unknownMerchant");
  const needsMerchant = merchants !== null && place.merchantId === "";
  return (
    <>
      {merchants && (
        <ChipSelect
          label={t("merchant")}
          value={place.merchantId}
          name={nameOf(merchants.find(({ id }) => id === place.merchantId))}
          placeholder={t("chooseMerchant")}
          disabled={disabled}
          onChange={(merchantId) => onChange({ merchantId, branchId: "" })}
        >
          {merchants.map((merchant) => (
            <SelectItem key={merchant.id} value={merchant.id} className="min-h-12 text-base">
              {nameOf(merchant)}
            </SelectItem>
          ))}
        </ChipSelect>
      )}
      <ChipSelect
        label={t("branch")}
        value={place.branchId}
        name={chosen && branchName(chosen, locale)}
        placeholder={needsMerchant || branches.length > 0 ? t("chooseBranch") : t("noBranches")}
        disabled={disabled || needsMerchant || branches.length === 0}
        onChange={(branchId) => onChange({ ...place, branchId })}
      >
        {branches.map((branch) => (
          <SelectItem key={branch.id} value={branch.id} className="min-h-12 text-base">
            {branchName(branch, locale)} <span className="text-muted-foreground">· {branch.city}</span>
          </SelectItem>
        ))}
      </ChipSelect>
    </>
  );
}
