import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { customerNumber } from "@/lib/customers/model/customer-code";
import { formatPhone } from "@/lib/domain/contact";
import { formatPoints, formatQar, partValue } from "@/lib/domain/money";
import { formatDate, formatShortDate } from "@/lib/domain/time";
import { useReserved } from "./reserved";
import type { CardView, CardViewState } from "./types";

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="detail">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The card's details as a list. */
export function CardDetails({ card, state }: { card: CardView; state: CardViewState }) {
  const t = useTranslations("card");
  const locale = useLocale();
  const reserved = useReserved(state);
  return (
    <Card className="gap-2">
      <CardHeader>
        <CardTitle>{t("details")}</CardTitle>
      </CardHeader>
      <CardContent>
        <dl>
          <Row label={t("customerId")}>
            <bdi dir="ltr" className="break-all font-mono">
              {customerNumber(card)}
            </bdi>
          </Row>
          <Row label={t("memberSince")}>{formatDate(new Date(card.registeredAt), locale)}</Row>
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
          {state.endsNext && (
            <Row label={t("bonus")}>
              <bdi>
                {t("endsNext", {
                  amount: formatQar(partValue(state.endsNext.points, state.balance, state.cashValue), locale),
                  day: formatShortDate(state.endsNext.day, locale),
                })}
              </bdi>
            </Row>
          )}
          <Row label={t("cashEquivalent")}>
            <bdi className="tabular-nums">{formatQar(state.cashValue, locale)}</bdi>
          </Row>
        </dl>
      </CardContent>
    </Card>
  );
}
