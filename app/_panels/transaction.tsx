import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { CopyableId } from "@/components/data/copy-button";
import { Money } from "@/components/data/money";
import { BranchName, MerchantName } from "@/components/data/names";
import { Details, PageHeader } from "@/components/data/page-header";
import { MovementTypeBadge, PocketsLine } from "@/components/ledger/movement-cells";
import { RefundDialog } from "@/components/ledger/refund-dialog";
import { ReverseMovement } from "@/components/ledger/reverse-movement";
import { MovementReceipt } from "@/components/receipts/movement-receipt";
import { Card, CardContent } from "@/components/ui/card";
import { pageContext, pageTitle, readOr404 } from "@/lib/api/page";
import { cashValue, formatMoney, formatQar } from "@/lib/domain/money";
import { PANELS } from "@/lib/domain/panels";
import { scopeOf } from "@/lib/domain/policy";
import { formatDateTime } from "@/lib/domain/time";
import { reasonOf } from "@/lib/i18n/translate";
import { type LoggedMovement, leftToRefund, type MovementLink } from "@/lib/ledger/model/movements";
import { viewMovement } from "@/lib/ledger/read-movements";

const linkClass = "text-link underline underline-offset-4";

type MovementDetailsProps = {
  movement: LoggedMovement;
  base: string;
  linkCustomer: boolean;
};

function MovementDetails({ movement, base, linkCustomer }: MovementDetailsProps) {
  const t = useTranslations("movements");
  const customers = useTranslations("customers");
  const locale = useLocale();
  const reason = reasonOf(movement, locale);
  const links: [label: string, other: MovementLink | null][] = [
    [t("reverses"), movement.reverses],
    [t("reversedBy"), movement.reversedBy],
    [t("refunds"), movement.refunds],
    ...movement.refundedBy.map((other): [string, MovementLink] => [t("refundedBy"), other]),
  ];
  const { actor, branch, resolver, paidPoints, bonusPoints, tender, saleRef, rate } = movement;
  const name = movement.customerErased ? customers("erasedName") : movement.customer.fullName;
  const customer = <bdi>{name}</bdi>;
  const items = [
    {
      label: t("customer"),
      value: linkCustomer ? (
        <Link href={`${base}/customers/${movement.customer.id}`} className={linkClass}>
          {customer}
        </Link>
      ) : (
        customer
      ),
    },
    { label: t("time"), value: formatDateTime(movement.createdAt, locale) },
    { label: t("merchant"), value: <MerchantName of={movement.merchant} /> },
    branch && { label: t("branch"), value: <BranchName of={branch} /> },
    { label: t("by"), value: <bdi>{actor.name || t(`actors.${actor.type}`)}</bdi> },
    resolver && { label: t("resolver"), value: <bdi>{resolver.name}</bdi> },
    { label: t("balanceAfter"), value: <Money points={movement.balanceAfter} rate={movement.balanceRate} /> },
    bonusPoints !== 0 && {
      label: t("ofWhich"),
      value: <PocketsLine paid={paidPoints} bonus={bonusPoints} rate={rate} />,
    },
    tender && { label: t("tender"), value: t(`tenders.${tender}`) },
    saleRef && { label: t("saleRef"), value: <bdi>{saleRef}</bdi> },
    { label: t("rate"), value: t("rateValue", { value: formatQar(cashValue(1, rate), locale) }) },
    movement.type === "REDEEM" && { label: t("proof"), value: t(`proofs.${movement.proof}`) },
    reason && { label: t("reason"), value: <bdi>{reason}</bdi> },
    ...links.map(
      ([label, other]) =>
        other && {
          label,
          value: (
            <Link href={`${base}/transactions/${other.id}`} className={linkClass}>
              {t("linkText", {
                type: t(`types.${other.type}`),
                // The movements have the same rate.
                amount: formatMoney(Math.abs(other.points), rate, locale),
                time: formatDateTime(other.createdAt, locale),
              })}
            </Link>
          ),
        },
    ),
    { label: t("receiptNumber"), value: <CopyableId text={movement.receiptNumber} /> },
  ];
  return <Details items={items} />;
}

export const generateMetadata = pageTitle("panels.titles.transactions");

/** One movement with what it reverses or what reversed it, and a Reverse button if the user may reverse it. */
export async function TransactionPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await pageContext(viewMovement);
  const movement = await readOr404(viewMovement, ctx, { movementId: (await params).id });
  const t = await getTranslations("transactions");
  const { role, handle } = ctx.actor;
  const base = `/${PANELS[role].segment}`;
  const { id, type, customer, points, rate } = movement;
  const left = leftToRefund(movement);
  // Users cannot reverse a movement that was posted at no branch. Workers undo and refund from their own lists.
  const canReverse =
    movement.branch !== null &&
    movement.reversedBy === null &&
    !movement.customerErased &&
    (scopeOf(role, "money.reverse") ?? "own") !== "own";
  return (
    <>
      <PageHeader
        back={{ href: `${base}/transactions`, label: t("all") }}
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Money points={points} rate={rate} signed />
            <MovementTypeBadge type={type} reversed={movement.reversedBy !== null} />
          </span>
        }
        actions={
          <>
            <MovementReceipt movement={{ id, type }} handle={handle} />
            {canReverse && left > 0 && scopeOf(role, "money.refund") && (
              <RefundDialog
                movement={{ id, customerName: customer.fullName, left, rate }}
                session={handle}
                base={base}
              />
            )}
            {canReverse && type !== "REVERSAL" && movement.refundedBy.length === 0 && (
              <ReverseMovement movement={movement} base={base} handle={handle} />
            )}
          </>
        }
      />
      <Card>
        <CardContent>
          <MovementDetails
            movement={movement}
            base={base}
            linkCustomer={scopeOf(role, "customers.read") !== null}
          />
        </CardContent>
      </Card>
    </>
  );
}
