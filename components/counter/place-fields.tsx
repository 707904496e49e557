"use client";

import { StoreIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Label } from "@/components/ui/label";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import type { BranchChoice, MerchantChoice } from "@/lib/domain/counter";

export type Place = { merchantId: string; branchId: string };

function BranchSelect({
  branches,
  value,
  disabled,
  placeholder,
  onChange,
}: {
  branches: BranchChoice[];
  value: string;
  disabled: boolean;
  placeholder: string;
  onChange: (id: string) => void;
}) {
  const t = useTranslations("counter");
  return (
    <div className="grid gap-1.5">
      <Label htmlFor="counter-branch">{t("branch")}</Label>
      <Select value={value} onValueChange={onChange} disabled={disabled}>
        <SelectTrigger id="counter-branch" size="xl">
          <SelectValue placeholder={placeholder} />
        </SelectTrigger>
        <SelectContent>
          {branches.map((branch) => (
            <SelectItem key={branch.id} value={branch.id} className="min-h-12 text-base">
              {branch.name} <span className="text-muted-foreground">· {branch.city}</span>
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </div>
  );
}

/**
 * Where the movement is posted. With `merchants` (super_admin) the merchant is chosen first, and changing it clears the
 * branch. Otherwise a single branch is shown as text and several as a select.
 */
export function PlaceFields({
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
  const [only] = branches;
  if (!merchants && only && branches.length === 1 && place.branchId === only.id) {
    return (
      <p className="flex items-center gap-2 text-muted-foreground text-sm">
        <StoreIcon className="size-4 shrink-0" aria-hidden />
        {only.name} · {only.city}
      </p>
    );
  }
  const setBranch = (branchId: string) => onChange({ ...place, branchId });
  const needsMerchant = merchants !== null && place.merchantId === "";
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3">
      {merchants && (
        <div className="grid gap-1.5">
          <Label htmlFor="counter-merchant">{t("merchant")}</Label>
          <Select
            value={place.merchantId}
            onValueChange={(merchantId) => onChange({ merchantId, branchId: "" })}
            disabled={disabled}
          >
            <SelectTrigger id="counter-merchant" size="xl">
              <SelectValue placeholder={t("chooseMerchant")} />
            </SelectTrigger>
            <SelectContent>
              {merchants.map((merchant) => (
                <SelectItem key={merchant.id} value={merchant.id} className="min-h-12 text-base">
                  {merchant.businessName || t("unknownMerchant")}
                </SelectItem>
              ))}
            </SelectContent>
          </Select>
        </div>
      )}
      <BranchSelect
        branches={branches}
        value={place.branchId}
        disabled={disabled || needsMerchant || branches.length === 0}
        placeholder={needsMerchant || branches.length > 0 ? t("chooseBranch") : t("noBranches")}
        onChange={setBranch}
      />
    </div>
  );
}

const LAST_BRANCH_KEY = "counter.branch";

/** The id of the branch this device posted at last, or null: most devices stay at one counter all day. */
export function readLastBranch(): string | null {
  try {
    return localStorage.getItem(LAST_BRANCH_KEY);
  } catch {
    return null;
  }
}

export function saveLastBranch(id: string): void {
  try {
    localStorage.setItem(LAST_BRANCH_KEY, id);
  } catch {}
}
