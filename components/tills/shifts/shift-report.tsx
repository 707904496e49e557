import { useLocale, useTranslations } from "next-intl";
import { Fragment, type ReactNode } from "react";
import { type Column, DataTable } from "@/components/data/data-table";
import { MerchantName } from "@/components/data/merchant-name";
import { Details, PageHeader } from "@/components/data/page-header";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { formatCount } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";
import type { DrawerMove, ShiftReport, ShiftView } from "@/lib/tills/model/shift";
import { PrintButton } from "./print-button";
import { Difference, Dirhams } from "./shifts-table";

/** One shift: who ran it, what went through the drawer and, once it is closed, the report. An open one has no sums. */
export function ShiftReportView({
  shift,
  back,
  more,
}: {
  shift: ShiftView;
  /** The list to return to. */
  back?: { href: string; label: string };
  /** Actions besides printing the report. */
  more?: ReactNode;
}) {
  const t = useTranslations("shifts");
  const locale = useLocale() as Locale;
  const { report } = shift;
  return (
    <div className="grid gap-5 print:gap-3">
      <p className="hidden font-semibold print:block">
        <MerchantName of={shift.merchant} />
      </p>
      <PageHeader
        className="mb-0"
        {...(back && { back })}
        title={shift.closedAt ? t("report", { number: shift.number }) : t("openShift")}
        description={
          <>
            <bdi>{shift.till.name}</bdi> · <bdi>{shift.branch.name}</bdi>
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
      <Card>
        <CardContent>
          <Details
            items={[
              { label: t("opened"), value: formatDateTime(shift.openedAt, locale) },
              { label: t("openedBy"), value: <bdi>{shift.openedBy.name}</bdi> },
              ...(shift.closedAt && shift.closedBy
                ? [
                    { label: t("closed"), value: formatDateTime(shift.closedAt, locale) },
                    { label: t("closedBy"), value: <bdi>{shift.closedBy.name}</bdi> },
                  ]
                : []),
              ...(shift.countedBefore === null
                ? []
                : [{ label: t("countedBefore"), value: <Dirhams amount={shift.countedBefore} /> }]),
              { label: t("float"), value: <Dirhams amount={shift.float} /> },
              ...(report
                ? [{ label: t("served"), value: <Served names={report.served.map(({ name }) => name)} /> }]
                : []),
              ...(shift.note ? [{ label: t("note"), value: <bdi>{shift.note}</bdi>, wide: true }] : []),
            ]}
          />
        </CardContent>
      </Card>
      {report ? <Report report={report} /> : <p className="text-muted-foreground text-sm">{t("blind")}</p>}
      {shift.drawer.length > 0 && <DrawerMoves moves={shift.drawer} />}
    </div>
  );
}

/** The names of those who posted at the till. Each name has its natural text direction. */
function Served({ names }: { names: readonly string[] }) {
  if (names.length === 0) return "–";
  return names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && " · "}
      <bdi>{name}</bdi>
    </Fragment>
  ));
}

function Report({ report }: { report: ShiftReport }) {
  const t = useTranslations("shifts");
  const tender = useTranslations("movements.tenders");
  const kinds = ["topUps", "redemptions", "refunds", "reversals", "payIns", "payOuts"] as const;
  return (
    <>
      <Card>
        <CardHeader>
          <CardTitle>{t("tenders")}</CardTitle>
        </CardHeader>
        <CardContent className="grid gap-4">
          {report.tenders.map((row) => (
            <section key={row.tender}>
              <h3 className="mb-1 font-semibold">{tender(row.tender)}</h3>
              <Details
                columns={3}
                items={[
                  { label: t("expected"), value: <Dirhams amount={row.expected} /> },
                  {
                    label: t("counted"),
                    value: row.counted === null ? t("notCounted") : <Dirhams amount={row.counted} />,
                  },
                  { label: t("difference"), value: <Difference amount={row.difference} /> },
                ]}
              />
            </section>
          ))}
        </CardContent>
      </Card>
      <Card>
        <CardHeader>
          <CardTitle>{t("movements")}</CardTitle>
        </CardHeader>
        <CardContent>
          <Details
            columns={3}
            items={kinds.map((kind) => ({
              label: `${t(`kinds.${kind}`)} (${formatCount(report[kind].count)})`,
              value: <Dirhams amount={report[kind].dirhams} />,
            }))}
          />
        </CardContent>
      </Card>
      {report.otherTills.length > 0 && (
        <Card>
          <CardHeader>
            <CardTitle>{t("otherTills")}</CardTitle>
          </CardHeader>
          <CardContent>
            <Details
              columns={3}
              items={report.otherTills.map(({ till, count, dirhams }) => ({
                label: `\u2068${till ?? t("noTill")}\u2069 (${formatCount(count)})`,
                value: <Dirhams amount={dirhams} />,
              }))}
            />
          </CardContent>
        </Card>
      )}
    </>
  );
}

function DrawerMoves({ moves }: { moves: readonly DrawerMove[] }) {
  const t = useTranslations("shifts");
  const locale = useLocale() as Locale;
  const columns: Column<DrawerMove>[] = [
    {
      key: "kind",
      header: t("kind"),
      primary: true,
      cell: (move) => t(move.kind === "pay_in" ? "kinds.payIns" : "kinds.payOuts"),
    },
    { key: "by", header: t("by"), phone: "line", cell: (move) => <bdi>{move.by.name}</bdi> },
    {
      key: "time",
      header: t("time"),
      phone: "line",
      cell: (move) => formatDateTime(move.createdAt, locale),
    },
    { key: "reason", header: t("reason"), phone: "below", cell: (move) => <bdi>{move.reason}</bdi> },
    {
      key: "amount",
      header: t("amount"),
      align: "end",
      phone: "aside",
      cell: (move) => <Dirhams amount={move.amount} />,
    },
  ];
  return (
    <DataTable caption={t("drawer")} columns={columns} rows={moves} rowKey={(move) => move.id} empty={null} />
  );
}
