"use client";

import {
  BanIcon,
  CircleGaugeIcon,
  CloudOffIcon,
  KeyRoundIcon,
  type LucideIcon,
  SnowflakeIcon,
  TriangleAlertIcon,
  Undo2Icon,
} from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CustomerStatusBadge } from "@/components/customers/customer-badges";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { cn } from "@/components/ui/utils";
import { formatPhone } from "@/lib/domain/contact";
import { formatPoints } from "@/lib/domain/money";
import { MODE_LOOK } from "./mode-look";
import type { CounterCustomer } from "./types";
import type { MoneyForm } from "./use-money-form";

/** How many letters of a name a phone shows in one line. */
const LINE = 24;

/** The customer at the counter: initials, name, contact, the card's status, and the place of the posting. */
export function SheetHead({
  customer,
  found,
  children,
}: {
  customer: CounterCustomer;
  /** The customer was found by a scanned code. The text is here because a notification would cover the name. */
  found: boolean;
  children: ReactNode;
}) {
  const t = useTranslations("counter");
  const { status } = customer;
  const name = customer.fullName || t("unknownCustomer");
  // A till without a connection knows neither the phone number nor the e-mail address.
  const known = customer.phone ? formatPhone(customer.phone) : customer.email;
  const contact = known ?? (customer.kept ? null : t("noEmail"));
  return (
    // A low screen has two lines: the name, then the contact and the place of the posting.
    <div className="grid grid-cols-1 gap-1.5 short:flex short:flex-wrap short:items-center short:gap-x-2 short:gap-y-0 short:pe-9">
      <div className="flex min-w-0 items-center gap-3 pe-9 short:contents">
        <Avatar name={name} className="size-11 text-base short:hidden" aria-hidden />
        <div className="min-w-0 flex-1 short:contents">
          <p className="wrap-anywhere font-semibold text-lg leading-tight short:w-full short:text-base short:leading-5">
            <bdi className="line-clamp-2">{name}</bdi>
          </p>
          <p
            className={cn(
              "truncate text-muted-foreground text-sm leading-5 short:max-w-40 short:text-xs",
              // If a long name takes two lines, a low screen hides this line to have room for the balances.
              name.length > LINE && !found && "short:hidden landscape-phone:block",
            )}
          >
            {found && (
              <>
                <span role="status" className="text-success-strong">
                  {t("found")}
                </span>
                {contact && " · "}
              </>
            )}
            {contact && <bdi dir="ltr">{contact}</bdi>}
          </p>
        </div>
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2 short:max-w-full short:flex-1 short:basis-32">
        {status && status !== "erased" && (
          <CustomerStatusBadge
            status={status}
            className="h-8 px-3 text-sm short:h-auto short:px-2 short:text-xs"
            textClassName={status === "active" ? "short:sr-only" : undefined}
          />
        )}
        {children}
      </div>
    </div>
  );
}

/** Add or Redeem, in one touch. */
export function ModeSwitch({ form: { mode, setMode, posting } }: { form: MoneyForm }) {
  const { step } = posting.state;
  const disabled = step === "posting" || step === "unanswered" || step === "givenUp";
  const t = useTranslations("counter");
  return (
    <fieldset disabled={disabled} className="grid grid-cols-2 rounded-lg bg-muted p-1 short:p-0.5">
      <legend className="sr-only">{t("mode")}</legend>
      {(["topup", "redeem"] as const).map((one) => {
        const { Icon, title, solid } = MODE_LOOK[one];
        return (
          <label
            key={one}
            className={cn(
              "flex h-10 pointer-coarse:h-11 pointer-fine:short:h-9 select-none items-center justify-center gap-2 rounded-md font-semibold text-sm has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-1",
              one === mode ? [solid, "shadow-sm"] : "text-muted-foreground hover:text-foreground",
              disabled ? "cursor-default opacity-70" : "cursor-pointer",
            )}
          >
            <input
              type="radio"
              name="counter-mode"
              value={one}
              checked={one === mode}
              className="sr-only"
              onChange={() => setMode(one)}
            />
            <Icon className="size-4.5" aria-hidden />
            {t(title)}
          </label>
        );
      })}
    </fieldset>
  );
}

type Notice = {
  variant: "warning" | "destructive" | "info";
  Icon: LucideIcon;
  title?: string;
  text: string;
};

/** The most important problem: before anything is sent, or after a lost answer. */
function useNotice(form: MoneyForm): Notice | null {
  const t = useTranslations();
  const locale = useLocale();
  const { mode, most, customer } = form;
  const { state } = form.posting;
  if (state.step === "unanswered") {
    const text = state.refusal ?? t(mode === "topup" ? "counter.unsure" : "counter.unsureRedeem");
    return { variant: "warning", Icon: CloudOffIcon, title: t("counter.noAnswer"), text };
  }
  if (state.step === "givenUp") {
    const text = t(mode === "topup" ? "counter.givenUp.topup" : "counter.givenUp.redeem");
    const title = t(state.undone ? "counter.givenUp.undone" : "counter.givenUp.never");
    return { variant: "info", Icon: Undo2Icon, title, text };
  }
  if (form.suspended) return { variant: "warning", Icon: TriangleAlertIcon, text: t("counter.suspended") };
  if (customer.status === "blocked")
    return { variant: "destructive", Icon: BanIcon, text: t("errors.customer_blocked") };
  if (customer.status === "frozen")
    return { variant: "warning", Icon: SnowflakeIcon, text: t("errors.customer_frozen") };
  if (state.step === "editing" && state.refusal !== null) {
    const text = state.refusal || t(mode === "topup" ? "counter.addFailed" : "counter.redeemFailed");
    return { variant: "destructive", Icon: TriangleAlertIcon, text };
  }
  if (state.step !== "editing") return null;
  if (most === 0) {
    const limit = formatPoints(customer.limits?.maxBalance ?? 0, locale);
    const text = mode === "redeem" ? t("counter.empty") : t("counter.atLimit", { points: limit });
    return { variant: "warning", Icon: CircleGaugeIcon, text };
  }
  if (form.needsProof) {
    return form.liveCode
      ? { variant: "info", Icon: KeyRoundIcon, text: t("counter.confirmReady") }
      : { variant: "warning", Icon: KeyRoundIcon, text: form.proofReason };
  }
  return null;
}

/** The state of the card and the posting; without one, what the page says about the customer (`children`). */
export function SheetNotice({ form, children }: { form: MoneyForm; children: ReactNode }) {
  const notice = useNotice(form);
  if (!notice) return children;
  const { variant, Icon, title, text } = notice;
  return (
    <Alert variant={variant} className="px-3 py-2 short:py-1.5" icon={Icon} title={title}>
      {text}
    </Alert>
  );
}
