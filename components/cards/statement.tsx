"use client";

import {
  ArrowDownLeftIcon,
  ArrowUpRightIcon,
  GiftIcon,
  HandCoinsIcon,
  HourglassIcon,
  ReceiptTextIcon,
} from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { cardStatementAction } from "@/app/customer/actions";
import { TitledCard } from "@/components/data/titled-card";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { Spinner } from "@/components/ui/spinner";
import type { StatementHold, StatementLine } from "@/lib/cards/model/card";
import { branchName } from "@/lib/domain/localized-names";
import { cashValue, formatPoints, formatQar, formatSignedPoints } from "@/lib/domain/money";
import { formatDateTime, formatUntil } from "@/lib/domain/time";
import { keepStatement, keptStatement } from "./offline";

type Loaded = { lines: StatementLine[]; holds: StatementHold[]; next: string | null; isKept: boolean };

type StatementProps = {
  customerId: string;
  balance: number;
  held: number;
  stale: boolean;
};

function useStatement({ customerId, balance, held, stale }: StatementProps) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [state, setState] = useState<"idle" | "loading" | "failed">("loading");
  const asked = useRef<string | undefined>(undefined);
  const load = useCallback(
    async (cursor?: string) => {
      asked.current = cursor;
      setState("loading");
      try {
        const result = await cardStatementAction({ customerId, cursor });
        if (!result.ok) {
          // This browser has lost its access to the card.
          if (result.code === "card_holder_required") keepStatement(customerId, null);
          return setState("failed");
        }
        const { results, nextCursor, holds } = result.data;
        if (!cursor) keepStatement(customerId, results);
        setLoaded((previous) => ({
          lines: cursor ? [...(previous?.lines ?? []), ...results] : results,
          holds: cursor ? (previous?.holds ?? []) : holds,
          next: nextCursor,
          isKept: false,
        }));
        setState("idle");
      } catch {
        const lines = keptStatement(customerId);
        if (lines) setLoaded((previous) => previous ?? { lines, holds: [], next: null, isKept: true });
        setState("failed");
      }
    },
    [customerId],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another balance means another movement, another sum another hold; the line may be back
  useEffect(() => void load(), [load, balance, held, stale]);
  return { loaded, state, load, retry: () => load(asked.current) };
}

const ICONS: Partial<Record<StatementLine["type"], typeof GiftIcon>> = {
  BONUS: GiftIcon,
  EXPIRY: HourglassIcon,
  REFUND: HandCoinsIcon,
};

function Particulars({ line }: { line: StatementLine }) {
  const { type, points, bonusPoints, rate, tender, saleRef, receiptNumber } = line;
  const t = useTranslations();
  const locale = useLocale();
  // A bonus and its expiry consist of bonus points only, as their names say.
  const mixed = bonusPoints !== 0 && type !== "BONUS" && type !== "EXPIRY";
  const bonus = formatQar(cashValue(Math.abs(bonusPoints), rate), locale);
  const parts = [
    tender && `${t("movements.tender")}: ${t(`movements.tenders.${tender}`)}`,
    saleRef && (
      <>
        {t("movements.saleRef")}: <bdi>{saleRef}</bdi>
      </>
    ),
    mixed && <bdi>{t(bonusPoints === points ? "card.allBonus" : "card.partBonus", { bonus })}</bdi>,
    <>
      {t("movements.receiptNumber")}: <bdi dir="ltr">{receiptNumber}</bdi>
    </>,
  ].filter(Boolean);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change
    <p key={index} className="wrap-anywhere">
      {part}
    </p>
  ));
}

function Line({ line }: { line: StatementLine }) {
  const kinds = useTranslations("email.receipt.kinds");
  const t = useTranslations("card");
  const locale = useLocale();
  const added = line.points > 0;
  const Icon = ICONS[line.type] ?? (added ? ArrowDownLeftIcon : ArrowUpRightIcon);
  return (
    <li className="statement-line" data-type={line.type} data-added={added || undefined}>
      <span className={ICONS[line.type] ? undefined : "rtl:-scale-x-100"}>
        <Icon aria-hidden />
      </span>
      <div>
        <p>
          <span>{kinds(line.type)}</span>
          {line.branch && (
            <span className="statement-dot">
              <span>{" · "}</span>
              <bdi>{line.branch}</bdi>
            </span>
          )}
        </p>
        <p>
          <time dateTime={line.createdAt.toISOString()}>{formatDateTime(line.createdAt, locale)}</time>
        </p>
        <Particulars line={line} />
      </div>
      <div>
        <p>
          <bdi>{formatQar(cashValue(line.points, line.rate), locale, true)}</bdi>
        </p>
        <p className="text-foreground">
          <bdi>{formatSignedPoints(line.points, locale)}</bdi>
        </p>
        <p>{t.rich("after", { points: () => <bdi>{formatPoints(line.balanceAfter, locale)}</bdi> })}</p>
      </div>
    </li>
  );
}

/** Points that other software reserved: where and until when, or how it ended. They are no movement, so no sum counts them. */
function HoldLine({ hold }: { hold: StatementHold }) {
  const { state, points, captured, branch, createdAt, until, rate } = hold;
  const t = useTranslations("holds");
  const locale = useLocale();
  const worth = (part: number) => formatQar(cashValue(part, rate), locale);
  const name = branchName(branch, locale);
  const isOpen = state === "open";
  return (
    <li className="statement-line" data-open={isOpen || undefined}>
      <span>
        <HourglassIcon aria-hidden />
      </span>
      <div>
        <p data-slot={isOpen ? "statement-hold" : undefined}>
          {isOpen
            ? t("reserved", {
                amount: worth(points - captured),
                branch: name,
                until: formatUntil(until, new Date(), locale),
              })
            : t("was", { amount: worth(points), branch: name })}
        </p>
        <p>
          <time dateTime={createdAt.toISOString()}>{formatDateTime(createdAt, locale)}</time>
        </p>
      </div>
      <div>
        <p className="text-foreground">{t(`states.${state}`)}</p>
        {captured > 0 && <p>{t("taken", { amount: worth(captured) })}</p>}
      </div>
    </li>
  );
}

/** The card's movements, newest first, below what is or was reserved lately. */
export function Statement(props: StatementProps) {
  const t = useTranslations("card");
  const { loaded, state, load, retry } = useStatement(props);
  return (
    <TitledCard className="gap-2" title={t("statement")}>
      {loaded === null && state === "loading" && <Skeleton className="h-40 w-full" />}
      {loaded?.lines.length === 0 && loaded.holds.length === 0 && (
        <EmptyState
          icon={ReceiptTextIcon}
          title={t("statementEmpty")}
          description={t("statementEmptyText")}
          className="py-8"
        />
      )}
      <ul>
        {loaded?.holds.map((hold) => (
          <HoldLine key={hold.id} hold={hold} />
        ))}
        {loaded?.lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      {state === "failed" && (
        <div className="flex items-center justify-between gap-3 py-3 text-sm" role="alert">
          {t(loaded?.isKept ? "statementKept" : "statementFailed")}
          <Button variant="outline" size="sm" onClick={retry}>
            {t("tryAgain")}
          </Button>
        </div>
      )}
      {loaded?.next && state !== "failed" && (
        <Button
          variant="ghost"
          size="lg"
          className="mt-2 w-full"
          disabled={state === "loading"}
          onClick={() => load(loaded.next ?? undefined)}
        >
          {state === "loading" && <Spinner aria-hidden />}
          {t("showMore")}
        </Button>
      )}
    </TitledCard>
  );
}
