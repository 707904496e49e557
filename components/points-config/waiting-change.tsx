"use client";

import { ClockIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { approvePendingAction, cancelPendingAction } from "@/app/_panels/actions";
import { ConfirmButton } from "@/components/data/confirm-button";
import { Details } from "@/components/data/page-header";
import { Badge } from "@/components/ui/badge";
import {
  Card,
  CardAction,
  CardContent,
  CardDescription,
  CardFooter,
  CardHeader,
  CardTitle,
} from "@/components/ui/card";
import { useCountdown } from "@/components/ui/use-countdown";
import { merchantName } from "@/lib/domain/localized-names";
import { formatPoints } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import type { PendingLimit } from "@/lib/merchants/model/merchant-settings";
import type { ConfigInForce, WaitingState } from "@/lib/points-config/model";
import { RULE_FIELDS, useRuleText } from "./rules-view";

/** The pending change of the configuration, if there is one. An administrator (`decides`) approves or cancels it. */
export function WaitingChange({ config, decides = false }: { config: ConfigInForce; decides?: boolean }) {
  const t = useTranslations("config");
  const text = useRuleText();
  const locale = useLocale();
  const { pending, merchant } = config;
  if (!pending) return null;
  const fields = RULE_FIELDS.filter((field) => config[field] !== pending.rules[field]);
  return (
    <WaitingCard
      pending={pending}
      decides={decides}
      intro={
        <>
          {pending.merchantId === null && merchant && <>{t("waitingPlatform")}. </>}
          {pending.withdrawal && (
            <>{t("waitingWithdrawal", { merchant: merchant ? merchantName(merchant, locale) : "" })} </>
          )}
        </>
      }
      items={fields.map((field) => ({
        label: t(`fields.${field}`),
        value: <FromTo before={text(field, config)} after={text(field, pending.rules)} />,
      }))}
    />
  );
}

/** The pending change to a higher redemption limit, which an administrator (`decides`) can cancel. Nothing without one. */
export function WaitingLimit({ pending, decides }: { pending: PendingLimit | null; decides: boolean }) {
  const t = useTranslations("config");
  const locale = useLocale();
  if (!pending) return null;
  const { before, wanted, name } = pending;
  const value = <FromTo before={formatPoints(before, locale)} after={formatPoints(wanted, locale)} />;
  return <WaitingCard pending={pending} decides={decides} items={[{ label: t(`fields.${name}`), value }]} />;
}

const FromTo = ({ before, after }: { before: string; after: string }) => (
  <span className="flex flex-wrap items-baseline gap-x-2">
    <del className="text-muted-foreground">{before}</del>
    <ins className="font-semibold no-underline">{after}</ins>
  </span>
);

type WaitingCardProps = {
  pending: WaitingState;
  intro?: ReactNode;
  items: { label: string; value: ReactNode }[];
  decides: boolean;
};

function WaitingCard({ pending, intro, items, decides }: WaitingCardProps) {
  const t = useTranslations("config");
  const locale = useLocale();
  const { needsApproval, approved } = pending;
  const asked = { label: t("waitingAskedAt"), value: formatDateTime(pending.askedAt, locale) };
  const askedBy = pending.askedBy && { label: t("waitingAskedBy"), value: <bdi>{pending.askedBy}</bdi> };
  return (
    <Card data-pending={pending.id}>
      <CardHeader>
        <CardTitle className="flex items-center gap-2 max-sm:col-span-2">
          <ClockIcon className="size-4 shrink-0" aria-hidden /> {t("waiting")}
        </CardTitle>
        <CardDescription className="max-sm:col-span-2">
          {intro}
          {t("waitingText", { time: formatDateTime(pending.effectiveAt, locale) })}
        </CardDescription>
        {/* On a phone the badge's sentence leaves no room for the title beside it. */}
        <CardAction className="max-sm:col-span-2 max-sm:col-start-1 max-sm:row-span-1 max-sm:row-start-3 max-sm:mt-1 max-sm:justify-self-start">
          {needsApproval && <Badge variant="secondary">{t("waitingApproval")}</Badge>}
          {approved && !needsApproval && <Badge variant="soft">{t("waitingApproved")}</Badge>}
        </CardAction>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        <TimeLeft pending={pending} />
        <Details className="lg:grid-cols-3" items={[...items, asked, askedBy]} />
        {decides && needsApproval && pending.own && (
          <p className="text-muted-foreground text-sm">{t("ownRequest")}</p>
        )}
      </CardContent>
      {decides && <Decide pending={pending} />}
    </Card>
  );
}

function TimeLeft({ pending: { effectiveAt, needsApproval } }: { pending: WaitingState }) {
  const t = useTranslations("config");
  const minutes = Math.ceil((useCountdown(effectiveAt.getTime()) ?? 0) / 60);
  // Without its approval it does not take effect, however long it waits.
  if (minutes === 0 && needsApproval) return null;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const left = hours === 0 ? t("waitingMinutes", { minutes }) : t("waitingLeft", { hours, minutes: rest });
  // The server's clock may differ from the reader's.
  return (
    <p className="font-medium tabular-nums" suppressHydrationWarning>
      {minutes === 0 ? t("waitingDue") : left}
    </p>
  );
}

function Decide({ pending: { id, needsApproval, own } }: { pending: WaitingState }) {
  const t = useTranslations("config");
  return (
    <CardFooter className="flex flex-wrap justify-end gap-2">
      <ConfirmButton
        label={t("cancel")}
        title={t("cancelTitle")}
        description={t("cancelText")}
        run={() => cancelPendingAction({ id })}
      />
      {needsApproval && !own && (
        <ConfirmButton
          variant="success"
          label={t("approve")}
          title={t("approveTitle")}
          description={t("approveText")}
          confirmVariant="success"
          run={() => approvePendingAction({ id })}
        />
      )}
    </CardFooter>
  );
}
