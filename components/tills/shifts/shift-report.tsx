import { ArrowRightIcon, ChevronDownIcon, CircleCheckIcon, TriangleAlertIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { Fragment, type ReactNode } from "react";
import { type Column, DataTable } from "@/components/data/data-table";
import { BranchName, MerchantName } from "@/components/data/names";
import { Details, PageHeader } from "@/components/data/page-header";
import { TitledCard } from "@/components/data/titled-card";
import { Card, CardContent } from "@/components/ui/card";
import { cn } from "@/components/ui/utils";
import { cashValue, formatCount, formatQar } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import type { ShiftReport, ShiftView } from "@/lib/tills/names";
import { PrintButton } from "./print-button";

/** Dirhams as QAR; a difference with its sign. */
export function Dirhams({ amount, signed = false }: { amount: number; signed?: boolean }) {
  const locale = useLocale();
  return <bdi className="tabular-nums">{formatQar(cashValue(amount, 1), locale, signed)}</bdi>;
}

/** The counted amount minus the expected amount. Missing cash is highlighted. */
export function Difference({ amount }: { amount: number | null }) {
  if (amount === null) return "–";
  return (
    <span className={amount < 0 ? "text-destructive-strong" : undefined}>
      <Dirhams amount={amount} signed />
    </span>
  );
}

/** One shift. Once it is closed, its report begins with the verdict and the rest is folded. An open one has no sums. */
export function ShiftReportView({
  shift,
  back,
  more,
}: {
  shift: ShiftView;
  back?: { href: string; label: string };
  more?: ReactNode;
}) {
  const t = useTranslations("shifts");
  const { report } = shift;
  const about = <AboutShift shift={shift} />;
  const moves = shift.drawer.length > 0 && <DrawerMoves moves={shift.drawer} />;
  return (
    <div className="grid gap-5 print:gap-3">
      <p className="hidden font-semibold print:block">
        <MerchantName of={shift.merchant} />
      </p>
      <PageHeader
        className="mb-0"
        back={back}
        title={shift.closedAt ? t("report", { number: shift.number }) : t("openShift")}
        description={
          <>
            <bdi>{shift.till.name}</bdi> · <BranchName of={shift.branch} />
          </>
        }
        actions={
          (report || more) && (
            <div className="grid w-full grid-cols-2 gap-2 sm:flex print:hidden">
              {report && <PrintButton />}
              {more}
            </div>
          )
        }
      />
      {report ? (
        <>
          <Verdict tenders={report.tenders} note={shift.note} />
          <details className="group">
            <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold print:hidden">
              <ChevronDownIcon className="size-5 group-open:rotate-180" aria-hidden />
              {t("rest")}
            </summary>
            <div className="mt-2 grid gap-5 print:gap-3">
              {about}
              <Report report={report} />
              {moves}
            </div>
          </details>
        </>
      ) : (
        <>
          {about}
          <p className="text-muted-foreground text-sm">{t("blind")}</p>
          {moves}
        </>
      )}
    </div>
  );
}

function AboutShift({ shift }: { shift: ShiftView }) {
  const t = useTranslations("shifts");
  const locale = useLocale();
  const { report } = shift;
  return (
    <Card>
      <CardContent>
        <Details
          items={[
            { label: t("opened"), value: formatDateTime(shift.openedAt, locale) },
            { label: t("openedBy"), value: <bdi>{shift.openedBy.name}</bdi> },
            shift.closedAt && { label: t("closed"), value: formatDateTime(shift.closedAt, locale) },
            shift.closedBy && { label: t("closedBy"), value: <bdi>{shift.closedBy.name}</bdi> },
            shift.countedBefore !== null && {
              label: t("countedBefore"),
              value: <Dirhams amount={shift.countedBefore} />,
            },
            { label: t("float"), value: <Dirhams amount={shift.float} /> },
            report && { label: t("served"), value: <Served people={report.served} /> },
          ]}
        />
      </CardContent>
    </Card>
  );
}

function Verdict({ tenders, note }: { tenders: ShiftReport["tenders"]; note: string | null }) {
  const t = useTranslations("shifts");
  const tender = useTranslations("movements.tenders");
  const locale = useLocale();
  const off = tenders.find((row) => row.tender === "cash")?.difference ?? 0;
  const Icon = off === 0 ? CircleCheckIcon : TriangleAlertIcon;
  // The amount and its currency stay on one line.
  const amount = formatQar(cashValue(Math.abs(off), 1), locale).replace(" ", "\u00a0");
  return (
    <section className="overflow-hidden rounded-xl border bg-card shadow-card">
      <p
        className={cn(
          "flex items-center gap-3 px-5 py-6 font-bold text-3xl tabular-nums leading-tight",
          off === 0 ? "bg-success-soft text-success-strong" : "bg-warning-soft text-warning-strong",
        )}
      >
        <Icon className="size-9 shrink-0" aria-hidden />
        {off === 0 ? t("matches") : t(off < 0 ? "short" : "over", { amount })}
      </p>
      <ul className="divide-y">
        {tenders.map((row) => (
          <li key={row.tender} className="grid gap-x-4 px-5 py-3 sm:grid-cols-[8rem_1fr] sm:items-center">
            <h3 className="font-semibold">{tender(row.tender)}</h3>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <Sum label={t("expected")}>
                <Dirhams amount={row.expected} />
              </Sum>
              <ArrowRightIcon className="size-4 text-muted-foreground rtl:-scale-x-100" aria-hidden />
              <Sum label={t("counted")}>
                {row.counted === null ? t("notCounted") : <Dirhams amount={row.counted} />}
              </Sum>
              {row.tender !== "cash" && row.difference !== null && row.difference !== 0 && (
                <Sum label={t("difference")}>
                  <Difference amount={row.difference} />
                </Sum>
              )}
            </div>
          </li>
        ))}
      </ul>
      {note && (
        <p className="wrap-anywhere border-t px-5 py-3">
          <span className="text-muted-foreground text-sm">{t("note")}: </span>
          <bdi>{note}</bdi>
        </p>
      )}
    </section>
  );
}

function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p>
      <span className="block text-muted-foreground text-xs">{label}</span>
      <span className="font-medium tabular-nums">{children}</span>
    </p>
  );
}

function Served({ people }: { people: ShiftReport["served"] }) {
  if (people.length === 0) return "–";
  return people.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && " · "}
      <bdi>{name}</bdi>
    </Fragment>
  ));
}

function Report({ report }: { report: ShiftReport }) {
  const t = useTranslations("shifts");
  const kinds = ["topUps", "redemptions", "refunds", "reversals", "payIns", "payOuts"] as const;
  return (
    <>
      <TitledCard title={t("movements")}>
        <Details
          columns={3}
          items={kinds.map((kind) => ({
            label: `${t(`kinds.${kind}`)} (${formatCount(report[kind].count)})`,
            value: <Dirhams amount={report[kind].dirhams} />,
          }))}
        />
      </TitledCard>
      {report.otherTills.length > 0 && (
        <TitledCard title={t("otherTills")}>
          <Details
            columns={3}
            items={report.otherTills.map(({ till, count, dirhams }) => ({
              label: `\u2068${till ?? t("noTill")}\u2069 (${formatCount(count)})`,
              value: <Dirhams amount={dirhams} />,
            }))}
          />
        </TitledCard>
      )}
    </>
  );
}

type DrawerMove = ShiftView["drawer"][number];

function DrawerMoves({ moves }: { moves: readonly DrawerMove[] }) {
  const t = useTranslations("shifts");
  const locale = useLocale();
  const columns: Column<DrawerMove>[] = [
    {
      header: t("kind"),
      primary: true,
      cell: (move) => t(move.kind === "pay_in" ? "kinds.payIns" : "kinds.payOuts"),
    },
    { header: t("by"), cell: (move) => <bdi>{move.by.name}</bdi> },
    { header: t("time"), cell: (move) => formatDateTime(move.createdAt, locale) },
    { header: t("reason"), phone: "below", cell: (move) => <bdi>{move.reason}</bdi> },
    {
      header: t("amount"),
      align: "end",
      phone: "aside",
      cell: (move) => <Dirhams amount={move.amount} />,
    },
  ];
  return <DataTable caption={t("drawer")} columns={columns} rows={moves} empty={null} />;
}
