import { giveNotice, renewNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import { activeOwners } from "@/lib/db/owners";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import type { ShiftView } from "./model/shift";

/**
 * Notifies the owners of the count of a closed shift. An e-mail and a notice name the tender that differs
 * most, if it differs by more than the merchant's tolerance. A notice alone reports the sum that was taken
 * otherwise than in cash and not counted, because an uncounted tender has no difference.
 */
export async function notifyOfCount(tx: Tx, shift: ShiftView): Promise<void> {
  const { drawerTolerance } = await tx.merchant.findUniqueOrThrow({
    where: { id: shift.merchant.id },
    select: { drawerTolerance: true },
  });
  const about = {
    merchantId: shift.merchant.id,
    userId: shift.closedBy?.id ?? null,
    tillId: shift.till.id,
    recordId: shift.id,
  };
  const tenders = shift.report?.tenders ?? [];
  // Payments online never pass a counter, so that nobody could count them.
  const uncounted = tenders
    .filter(({ tender, counted, expected }) => tender !== "online" && counted === null && expected > 0)
    .reduce((sum, { expected }) => sum + expected, 0);
  if (uncounted > drawerTolerance)
    await giveNotice(tx, { ...about, kind: "drawer_uncounted", amount: uncounted });
  const size = ({ difference }: { difference: number | null }) => Math.abs(difference ?? 0);
  const [worst] = [...tenders].sort((a, b) => size(b) - size(a));
  if (!worst || size(worst) <= drawerTolerance) return;
  await giveNotice(tx, { ...about, kind: "drawer_difference", amount: worst.difference ?? 0 });
  const owners = await activeOwners(tx, shift.merchant.id);
  for (const owner of owners) {
    await queueEmail(tx, {
      to: owner.email,
      template: "drawer_difference",
      params: {
        name: owner.firstName,
        worker: shift.closedBy?.name ?? "",
        till: shift.till.name,
        branch: shift.branch.name,
        report: shift.number,
        expected: worst.expected,
        counted: worst.counted ?? 0,
        at: shift.closedAt ?? shift.openedAt,
        url: `${env().APP_URL}/merchant/shifts/${shift.id}`,
      },
      locale: owner.locale,
    });
  }
}

/**
 * Notifies the owners of the cash that an employee has paid out of the drawer in a shift. It does so as soon
 * as the sum exceeds the merchant's tolerance, and again with each later pay-out. Cash that left with a
 * reason leaves no difference, so nothing else would show it.
 */
export async function notifyOfPayOuts(
  tx: Tx,
  { shiftId, userId }: { shiftId: string; userId: string },
): Promise<void> {
  const { tillId, branch } = await tx.shift.findUniqueOrThrow({
    where: { id: shiftId },
    select: {
      tillId: true,
      branch: { select: { merchant: { select: { id: true, drawerTolerance: true } } } },
    },
  });
  const { _sum } = await tx.drawerMove.aggregate({
    where: { shiftId, kind: "pay_out" },
    _sum: { amount: true },
  });
  const amount = _sum.amount ?? 0;
  if (amount <= branch.merchant.drawerTolerance) return;
  const about = { merchantId: branch.merchant.id, tillId, userId, recordId: shiftId };
  await renewNotice(tx, { ...about, kind: "drawer_pay_out", amount });
}
