import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { ListOrder } from "@/components/data/order";
import { branchName, merchantName } from "@/lib/domain/localized-names";
import { cashValue, formatQar } from "@/lib/domain/money";
import { addDays, dayStart, formatDate, qatarDay } from "@/lib/domain/time";
import type { CutDays, LoggedMovement } from "@/lib/ledger/model/movements";
import { type DayHeads, type MovementPart, type MovementRow, MovementRows } from "./movement-rows";

type TableProps = {
  movements: readonly LoggedMovement[];
  base: string;
  parts: readonly MovementPart[];
  order?: ListOrder;
  receipt?: (movement: LoggedMovement) => ReactNode;
  /** With it, narrow rows are grouped by day. */
  cutDays?: CutDays;
  empty: ReactNode;
};

/** Movements as a list; `parts` are the columns besides type, amount, branch and time. */
export function MovementTable({ movements, base, parts, order, receipt, cutDays, empty }: TableProps) {
  const locale = useLocale();
  const customers = useTranslations("customers");
  const t = useTranslations("movements");
  const days = useDayHeads(movements, cutDays);
  if (movements.length === 0) return <div className="surface">{empty}</div>;
  const has = (part: MovementPart) => parts.includes(part);
  const staffOf = ({ actor, resolver }: LoggedMovement) => {
    const name = actor.name || t(`actors.${actor.type}`);
    return resolver ? t("byWithResolver", { worker: name, person: resolver.name }) : name;
  };
  const rows = movements.map((movement): MovementRow => {
    const { id, type, points, rate, paidPoints, bonusPoints, tender, saleRef, branch, customer } = movement;
    return {
      id,
      type,
      points,
      rate,
      at: movement.createdAt.getTime(),
      ...(movement.reversedBy !== null && { reversed: true }),
      ...(branch && { branch: branchName(branch, locale) }),
      ...(has("customer") && {
        customer: movement.customerErased ? customers("erasedName") : customer.fullName,
      }),
      ...(has("customer") && has("by") && { customerId: customer.id }),
      ...(has("merchant") && { merchant: merchantName(movement.merchant, locale) }),
      ...(has("by") && { by: staffOf(movement) }),
      ...(has("balance") && { balance: [movement.balanceAfter, movement.balanceRate] }),
      ...(has("sale") && tender && { tender }),
      ...(has("sale") && saleRef && { bill: saleRef }),
      ...(has("sale") && paidPoints !== 0 && bonusPoints !== 0 && { pockets: [paidPoints, bonusPoints] }),
    };
  });
  return (
    <MovementRows
      rows={rows}
      base={base}
      parts={parts}
      order={order}
      days={cutDays && days}
      receipts={receipt && Object.fromEntries(movements.map((one) => [one.id, receipt(one)]))}
    />
  );
}

function useDayHeads(movements: readonly LoggedMovement[], cutDays: CutDays = {}): DayHeads {
  const t = useTranslations("list");
  const locale = useLocale();
  const today = qatarDay(new Date());
  const near: Record<string, string> = { [today]: t("today"), [addDays(today, -1)]: t("yesterday") };
  const dirhams = new Map<string, bigint>();
  for (const { createdAt, points, rate } of movements) {
    const day = qatarDay(createdAt);
    dirhams.set(day, (dirhams.get(day) ?? 0n) + BigInt(points) * BigInt(rate));
  }
  return Object.fromEntries(
    [...dirhams].map(([day, sum]) => {
      const amount = day in cutDays ? cutDays[day] : cashValue(sum, 1);
      const name = near[day] ?? formatDate(dayStart(day), locale);
      return [day, amount ? { name, sum: formatQar(amount, locale, true) } : { name }];
    }),
  );
}
