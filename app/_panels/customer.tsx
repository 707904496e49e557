import { HourglassIcon } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import {
  BlockButton,
  ChangeCustomerEmailDialog,
  EditCustomerDialog,
  FrozenCard,
  GiveBonusDialog,
  PendingCustomerEmail,
} from "@/components/customers/customer-actions";
import { CustomerStatusBadge, StaffCardBadge } from "@/components/customers/customer-badges";
import { CopyableId } from "@/components/data/copy-button";
import { ListFrame } from "@/components/data/list-frame";
import { Money } from "@/components/data/money";
import { MerchantName } from "@/components/data/names";
import { Details, PageHeader } from "@/components/data/page-header";
import { deferRead, StreamedList } from "@/components/data/streamed";
import { TitledCard } from "@/components/data/titled-card";
import { MovementTable } from "@/components/ledger/movement-table";
import { MovementReceipt } from "@/components/receipts/movement-receipt";
import { LinkButton } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty";
import { RedeemIcon, TopUpIcon } from "@/components/ui/money-icons";
import { pageContext, pageTitle, readOr404, type SearchParams } from "@/lib/api/page";
import type { ServedCustomer } from "@/lib/counter/names";
import { serveCustomer } from "@/lib/counter/serve-customer";
import { customerProfile } from "@/lib/customers/customer";
import { customerEmails } from "@/lib/customers/edit-customer";
import { customerNumber } from "@/lib/customers/model/customer-code";
import { type CustomerEmails, customerIdSchema } from "@/lib/customers/model/customers";
import type { CustomerProfile } from "@/lib/customers/names";
import { formatPhone } from "@/lib/domain/contact";
import { branchName } from "@/lib/domain/localized-names";
import { cashValue, formatCount, formatQar } from "@/lib/domain/money";
import { PANELS } from "@/lib/domain/panels";
import { formatDate, formatDay, formatNumericDate, formatUntil } from "@/lib/domain/time";
import { listHolds } from "@/lib/holds/holds";
import { holdsSchema } from "@/lib/holds/model";
import type { Hold } from "@/lib/holds/names";
import { statement } from "@/lib/ledger/read-movements";

type ActionsProps = {
  customer: CustomerProfile;
  base: string;
  served: ServedCustomer;
  emails: CustomerEmails;
  session: string;
};

function Actions({ customer, base, served, emails, session }: ActionsProps) {
  const t = useTranslations("customers");
  return (
    <>
      {customer.status === "active" && (
        <>
          <LinkButton href={`/topup/${customer.publicId}`}>
            <TopUpIcon aria-hidden /> {t("topUp")}
          </LinkButton>
          <LinkButton variant="outline" href={`${base}/redeem?customerId=${customer.id}`}>
            <RedeemIcon aria-hidden /> {t("redeem")}
          </LinkButton>
          <GiveBonusDialog customer={customer} branches={served.merchant.branches} session={session} />
        </>
      )}
      <EditCustomerDialog customer={customer} />
      {!emails.pending && <ChangeCustomerEmailDialog customer={customer} earlier={emails.earlier} />}
      <BlockButton customer={customer} />
    </>
  );
}

type BalanceProps = { served: ServedCustomer; holds: readonly Hold[] };

function Balance({ served: { balance, rate, pockets }, holds }: BalanceProps) {
  const t = useTranslations();
  const locale = useLocale();
  const worth = (points: number) => formatQar(cashValue(points, rate), locale);
  const held = holds.reduce((sum, { remaining }) => sum + remaining, 0);
  const { paid, bonus, endsNext } = pockets;
  return (
    <>
      <p className="text-muted-foreground text-sm">
        {t(holds.length > 0 ? "customers.available" : "customers.balance")}
      </p>
      <Money points={balance - held} rate={rate} layout="hero" />
      {holds.map((hold) => (
        <p key={hold.id} className="flex items-start gap-1.5 text-sm">
          <HourglassIcon className="mt-0.5 size-4 shrink-0 text-muted-foreground" aria-hidden />
          <span>
            {t("holds.reserved", {
              amount: worth(hold.remaining),
              branch: branchName(hold.branch, locale),
              until: formatUntil(hold.expiresAt, new Date(), locale),
            })}{" "}
            <span className="text-muted-foreground">{t("holds.by", { name: hold.actor.name ?? "" })}</span>
          </span>
        </p>
      ))}
      {holds.length > 0 && (
        <p className="text-muted-foreground text-sm">{t("holds.inAll", { amount: worth(balance) })}</p>
      )}
      <p className="text-sm tabular-nums" data-slot="pockets">
        {t("customers.pockets", { paid: worth(paid), bonus: worth(bonus) })}
      </p>
      {endsNext && (
        <p className="text-muted-foreground text-sm">
          {t("card.endsNext", { amount: worth(endsNext.points), day: formatDay(endsNext.day, locale) })}
        </p>
      )}
    </>
  );
}

function CustomerDetails({ customer, base }: { customer: CustomerProfile; base: string }) {
  const t = useTranslations("customers");
  const locale = useLocale();
  const listOf = (page: "transactions" | "activity", text: string) => (
    <Link
      href={`${base}/${page}?customerId=${customer.id}`}
      className="touch inline-flex min-h-6 items-center text-link underline underline-offset-4"
    >
      {text}
    </Link>
  );
  const items = [
    { label: t("email"), value: <bdi>{customer.email ?? "–"}</bdi> },
    {
      label: t("phone"),
      value: <bdi dir="ltr">{customer.phone ? formatPhone(customer.phone) : "–"}</bdi>,
    },
    { label: t("birth"), value: customer.dateOfBirth ? formatNumericDate(customer.dateOfBirth) : "–" },
    { label: t("since"), value: formatDate(customer.registeredAt, locale) },
    { label: t("merchant"), value: <MerchantName of={customer.merchant} /> },
    { label: t("transactions"), value: listOf("transactions", formatCount(customer.movements)) },
    { label: t("activity"), value: listOf("activity", t("seeActivity")) },
    { label: t("publicId"), value: <CopyableId text={customerNumber(customer)} /> },
  ];
  return (
    <TitledCard className="lg:col-span-2" title={t("details")}>
      <Details items={items} />
    </TitledCard>
  );
}

type CustomerPageProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

export const generateMetadata = pageTitle("panels.titles.customers");

/** One customer: balance, details, what staff may do, and the statement. */
export async function CustomerPage({ params, searchParams }: CustomerPageProps) {
  const ctx = await pageContext(customerProfile);
  const id = customerIdSchema.parse({ customerId: (await params).id.slice(0, 100) });
  const customer = await readOr404(customerProfile, ctx, id);
  const about = { customerId: customer.id };
  const erased = customer.status === "erased";
  const [served, emails, holds] = erased
    ? [null, null, null]
    : await Promise.all([
        readOr404(serveCustomer, ctx, about),
        readOr404(customerEmails, ctx, about),
        listHolds(ctx, holdsSchema.parse({ ...about, state: "open" })),
      ]);
  const { cursor } = await searchParams;
  const after = typeof cursor === "string" ? cursor.slice(0, 40) : undefined;
  const page = deferRead(statement(ctx, { ...about, cursor: after }));
  const { handle, role } = ctx.actor;
  const base = `/${PANELS[role].segment}`;
  const t = await getTranslations("customers");
  return (
    <>
      <PageHeader
        back={{ href: `${base}/customers`, label: t("back") }}
        title={
          <span className="flex flex-wrap items-center gap-2">
            <bdi>{erased ? t("erasedName") : customer.fullName}</bdi>{" "}
            <CustomerStatusBadge status={customer.status} />
            {customer.heldByStaff && <StaffCardBadge />}
          </span>
        }
        actions={
          served && (
            <Actions customer={customer} base={base} served={served} emails={emails} session={handle} />
          )
        }
      />
      {emails?.pending && <PendingCustomerEmail customer={customer} pending={emails.pending} />}
      {customer.status === "frozen" && emails && (
        <FrozenCard customer={customer} codeEmail={emails.codeEmail} />
      )}
      {erased && <p className="mb-5 text-muted-foreground text-sm">{t("erasedText")}</p>}
      <div className="mb-6 grid grid-cols-1 gap-5 lg:grid-cols-3">
        <Card className="lg:self-start">
          <CardContent className="flex flex-col gap-1">
            {served ? (
              <Balance served={served} holds={holds.results} />
            ) : (
              <>
                <p className="text-muted-foreground text-sm">{t("balance")}</p>
                <Money points={customer.balance} value={customer.cashValue} layout="hero" />
              </>
            )}
          </CardContent>
        </Card>
        <CustomerDetails customer={customer} base={base} />
      </div>
      <section aria-labelledby="statement">
        <h2 id="statement" className="mb-3 font-semibold">
          {t("statement")}
        </h2>
        <ListFrame>
          <StreamedList data={page}>
            {({ results }) => (
              <MovementTable
                movements={results}
                base={base}
                parts={["sale", "balance", "by"]}
                receipt={({ id: movementId, type }) => (
                  <MovementReceipt iconOnly movement={{ id: movementId, type }} handle={handle} />
                )}
                empty={<EmptyState title={t("statementNone")} description={t("statementNoneText")} />}
              />
            )}
          </StreamedList>
        </ListFrame>
      </section>
    </>
  );
}
