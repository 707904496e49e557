"use client";

import { StoreIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { KeyboardEvent, ReactNode } from "react";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { cn } from "@/components/ui/utils";
import { branchName, type MerchantNames, merchantName } from "@/lib/domain/localized-names";
import { cashValue, formatPoints, formatQar, pointsUnit } from "@/lib/domain/money";
import { availableOf } from "./check-amount";
import { MODE_LOOK } from "./mode-look";
import type { MoneyForm } from "./use-money-form";

export const AMOUNT_ID = "counter-amount";

function useProblemText({ checked: { problem }, customer }: MoneyForm): string | null {
  const { balance, limits, kept } = customer;
  const t = useTranslations();
  const locale = useLocale();
  switch (problem) {
    case null:
    case "required":
      return null;
    case "short":
      return t("errors.insufficient_balance", { balance: availableOf(customer) });
    case "below":
      return t("errors.below_minimum", { limit: limits?.minTopUp ?? 0 });
    case "above":
      if (kept) {
        const limit = formatPoints(limits?.maxTopUp ?? 0, locale);
        return t("offlineCounter.refused.aboveOne", { limit });
      }
      return t("errors.above_maximum", { limit: limits?.maxTopUp ?? 0 });
    case "full":
      return t("errors.balance_limit", { limit: limits?.maxBalance ?? 0, balance });
    default:
      return t(`validation.points.${problem}`);
  }
}

/** The amount in points, as a field in large type, and in money; below it the limit, or what is wrong. */
export function AmountHero({ form }: { form: MoneyForm }) {
  const t = useTranslations();
  const locale = useLocale();
  const { mode, amount, checked, most, locked, closed, customer } = form;
  const look = MODE_LOOK[mode];
  const problem = useProblemText(form);
  const { points } = checked;
  return (
    <div className="grid gap-1 text-center short:gap-0.5">
      <label
        className={cn(
          "block cursor-text rounded-xl border-2 px-3 py-1.5 short:py-0 focus-within:outline-2 focus-within:outline-offset-1",
          problem
            ? "border-destructive bg-destructive-soft text-destructive-strong focus-within:outline-destructive"
            : [look.soft, look.edge],
        )}
      >
        <span className="sr-only">{t("counter.amount")}</span>
        <span className="flex items-baseline justify-center gap-2">
          <input
            id={AMOUNT_ID}
            aria-label={t("counter.amount")}
            dir="ltr"
            // The pad below replaces the phone's keyboard, which would cover it.
            inputMode="none"
            autoComplete="off"
            maxLength={20}
            value={amount}
            disabled={locked || closed}
            placeholder="0"
            aria-invalid={problem !== null}
            aria-describedby="counter-amount-hint"
            className="max-w-full bg-transparent text-center font-bold text-5xl tabular-nums leading-[1.1] short:h-9 short:text-4xl outline-none placeholder:text-current/45"
            style={{ width: `${Math.max(1, amount.length) + 0.3}ch` }}
            onChange={(event) => form.setAmount(event.target.value)}
          />
          <span className="font-semibold text-2xl short:leading-none" aria-hidden>
            {pointsUnit(points ?? 0, locale)}
          </span>
        </span>
        <span
          className="block min-h-7 font-semibold text-lg tabular-nums leading-7 short:min-h-6 short:text-base short:leading-6"
          data-slot="cash"
        >
          {points === null ? (
            <span className="font-normal text-sm opacity-85">
              {t("movements.rateValue", { value: formatQar(cashValue(1, customer.rate), locale) })}
            </span>
          ) : (
            t(`counter.${look.cash}`, { cash: formatQar(cashValue(points, customer.rate), locale) })
          )}
        </span>
      </label>
      <p
        id="counter-amount-hint"
        role={problem ? "alert" : undefined}
        className={cn(
          "min-h-5 text-sm leading-5 short:min-h-4 short:text-xs short:leading-4",
          problem ? "text-destructive-strong" : "text-muted-foreground",
        )}
      >
        {problem ?? (most !== null && most > 0 && t("counter.upTo", { points: formatPoints(most, locale) }))}
      </p>
      {checked.problem === "whole" && (
        <p
          role="alert"
          className="rounded-md border border-destructive/35 bg-destructive-soft px-3 py-1.5 text-destructive-strong text-sm"
        >
          {t("counter.invalidInput")}
        </p>
      )}
    </div>
  );
}

/** Whether a key press starts the amount, which it does everywhere except in a text field. */
export function startsAmount(event: KeyboardEvent): boolean {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const field = target instanceof HTMLElement ? target.closest("input:not([type=radio]), textarea") : null;
  return !field && !ctrlKey && !metaKey && !altKey && /^[0-9\u0660-\u0669\u06f0-\u06f9]$/.test(key);
}

/** How the customer pays a top-up, of the ways that the merchant accepts. */
export function TenderChoice({ form }: { form: MoneyForm }) {
  const t = useTranslations("movements");
  const { tenders } = form;
  return (
    <fieldset disabled={form.locked} className="flex rounded-lg bg-muted p-1 short:p-0">
      <legend className="sr-only">{t("tender")}</legend>
      {tenders.map((tender) => (
        <button
          key={tender}
          type="button"
          className={cn(
            "min-h-11 min-w-0 flex-1 basis-auto rounded-md px-1.5 font-medium",
            tenders.length > 3 ? "text-xs sm:text-sm" : "text-sm",
            form.tender === tender
              ? "bg-card text-foreground shadow-sm ring-1 ring-border ring-inset"
              : "text-muted-foreground hover:text-foreground",
          )}
          aria-pressed={form.tender === tender}
          onClick={() => form.setTender(tender)}
        >
          {t(`tenders.${tender}`)}
        </button>
      ))}
    </fieldset>
  );
}

/** A chip's look; its touch target is 44 px high. */
const chip =
  "relative h-8 w-auto max-w-full gap-1.5 short:pointer-coarse:h-8 short:min-h-0 short:min-w-0 rounded-full px-3 py-0 font-medium text-sm shadow-none before:absolute before:inset-x-0 before:-inset-y-1.5 md:text-sm";

function ChipSelect({
  label,
  name,
  placeholder,
  children,
  ...select
}: {
  label: string;
  name: string | undefined;
  placeholder: string;
  value: string;
  disabled: boolean;
  onValueChange: (id: string) => void;
  children: ReactNode;
}) {
  return (
    <Select {...select}>
      <SelectTrigger
        aria-label={label}
        title={name}
        className={cn(chip, select.value === "" && "border-warning bg-warning-soft text-warning-strong")}
      >
        <SelectValue placeholder={placeholder}>{name}</SelectValue>
      </SelectTrigger>
      <SelectContent>{children}</SelectContent>
    </Select>
  );
}

/** Chooses the branch of a posting, and a super_admin first the merchant. A single branch is a text. */
export function PlaceChips({ form }: { form: MoneyForm }) {
  const { setting, place, setPlace, locked } = form;
  const merchants = setting.merchants && form.merchants;
  // A till offers its own branch alone, if the posting is at it.
  const own = form.branches.filter(({ id }) => id === place.branchId);
  const branches = setting.ofBranch && own.length > 0 ? own : form.branches;
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
          disabled={locked}
          onValueChange={(merchantId) => setPlace({ merchantId, branchId: "" })}
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
        disabled={locked || needsMerchant || branches.length === 0}
        onValueChange={(branchId) => setPlace({ ...place, branchId })}
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
