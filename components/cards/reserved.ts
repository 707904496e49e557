import { useLocale, useTranslations } from "next-intl";
import { branchName } from "@/lib/domain/branch-name";
import { formatQar, partValue } from "@/lib/domain/money";
import { formatUntil } from "@/lib/domain/time";
import type { CardViewState } from "./types";

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

/** The part of a card that can be spent: the balance without what open holds reserve, in points and QAR ("330.00"). */
export function availableOf({
  balance,
  cashValue,
  held = 0,
}: Pick<CardViewState, "balance" | "cashValue" | "held">): { points: number; cashValue: string } {
  if (held === 0) return { points: balance, cashValue };
  const points = Math.max(0, balance - held);
  return { points, cashValue: partValue(points, balance, cashValue) };
}
