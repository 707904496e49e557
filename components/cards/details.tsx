import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { TitledCard } from "@/components/data/titled-card";
import { customerNumber } from "@/lib/customers/model/customer-code";
import { formatPhone } from "@/lib/domain/contact";
import { branchName } from "@/lib/domain/localized-names";
import { formatPoints, formatQar, partValue } from "@/lib/domain/money";
import { formatDate, formatDay, formatUntil } from "@/lib/domain/time";
import type { CardView, CardViewState } from "./types";

/** The reserved points of a card, as sentences: one hold says where and until when, several say their sum. */
export function useReserved({ balance, cashValue, held = 0, holds = [], at }: CardViewState) {
  const t = useTranslations("holds");
  const locale = useLocale();
  const worth = (points: number) =>
    formatQar(points === 0 ? "0.00" : partValue(points, balance, cashValue), locale);
  const each = holds.map(({ points, branch, until }) =>
    t("reserved", {
      amount: worth(points),
      branch: branchName(branch, locale),
      until: formatUntil(new Date(until), new Date(at), locale),
    }),
  );
  const [only] = each;
  const short = held === 0 ? null : each.length === 1 && only ? only : t("sum", { amount: worth(held) });
  return { short, each, amount: worth(held) };
}

/** Says which bonus points expire first, and their last day; null without any. */
export function useEndsNext({ balance, cashValue, endsNext }: CardViewState): string | null {
  const t = useTranslations("card");
  const locale = useLocale();
  if (!endsNext) return null;
  const amount = formatQar(partValue(endsNext.points, balance, cashValue), locale);
  return t("endsNext", { amount, day: formatDay(endsNext.day, locale) });
}

/** The part of a card that can be spent: the balance without what open holds reserve, in points and QAR ("330.00"). */
export function availableOf({ balance, cashValue, held = 0 }: CardViewState) {
  if (held === 0) return { points: balance, cashValue };
  const points = Math.max(0, balance - held);
  return { points, cashValue: partValue(points, balance, cashValue) };
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="detail">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function CardDetails({ card, state }: { card: CardView; state: CardViewState }) {
  const t = useTranslations("card");
  const locale = useLocale();
  const reserved = useReserved(state);
  const endsNext = useEndsNext(state);
  return (
    <TitledCard className="gap-2" title={t("details")}>
      <dl>
        <Row label={t("customerId")}>
          <bdi dir="ltr" className="break-all font-mono">
            {customerNumber(card)}
          </bdi>
        </Row>
        <Row label={t("memberSince")}>{formatDate(card.registeredAt, locale)}</Row>
        <Row label={t("email")}>{card.email ? <bdi dir="ltr">{card.email}</bdi> : t("fallbackEmail")}</Row>
        <Row label={t("phone")}>
          <bdi dir="ltr" className="tabular-nums">
            {card.phone ? formatPhone(card.phone) : "–"}
          </bdi>
        </Row>
        <Row label={t("currentBalance")}>
          <bdi className="tabular-nums">{formatPoints(state.balance, locale)}</bdi>
        </Row>
        {reserved.short && (
          <Row label={t("reserved")}>
            {reserved.each.length > 0
              ? reserved.each.map((line, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same
                  <span key={index} className="block">
                    {line}
                  </span>
                ))
              : reserved.amount}
          </Row>
        )}
        {endsNext && (
          <Row label={t("bonus")}>
            <bdi>{endsNext}</bdi>
          </Row>
        )}
        <Row label={t("cashEquivalent")}>
          <bdi className="tabular-nums">{formatQar(state.cashValue, locale)}</bdi>
        </Row>
      </dl>
    </TitledCard>
  );
}
