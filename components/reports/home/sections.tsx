import { CheckIcon, MapPinIcon } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Column, DataTable } from "@/components/data/data-table";
import { BranchName } from "@/components/data/names";
import { AllLink, Section } from "@/components/data/page-header";
import { TitledCard } from "@/components/data/titled-card";
import { Dirhams } from "@/components/tills/shifts/shift-report";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty";
import { cn } from "@/components/ui/utils";
import { cashValue, formatAmount, formatQar } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import {
  type Checklist,
  HOME_STEPS,
  type HomeBranch,
  type HomeStep,
  type MoneyFigures,
  type PeriodSpan,
} from "@/lib/reports/model/owner-home";
import type { Shift } from "@/lib/tills/names";
import { Change } from "./figures";

const PLACES: Record<HomeStep, string> = {
  image: "/merchant/account",
  branch: "/merchant/branches",
  worker: "/merchant/workers",
  poster: "/merchant/account/poster",
  topUp: "/merchant/topup",
};

/** The steps that a new shop must do before its first day. */
export function ShopChecklist({ checklist }: { checklist: Checklist }) {
  const t = useTranslations("home.checklist");
  const done = HOME_STEPS.filter((step) => checklist[step]).length;
  return (
    <TitledCard title={t("title")} text={t("progress", { done, all: HOME_STEPS.length })}>
      <ol className="flex flex-col divide-y">
        {HOME_STEPS.map((step, index) => (
          <li key={step} className="flex items-center gap-3 py-2 first:pt-0 last:pb-0">
            <span
              className={cn(
                "grid size-7 shrink-0 place-items-center rounded-full border text-sm tabular-nums",
                checklist[step] && "border-transparent bg-success-soft text-success-strong",
              )}
              aria-hidden
            >
              {checklist[step] ? <CheckIcon className="size-4" /> : index + 1}
            </span>
            {checklist[step] ? (
              <span className="text-muted-foreground text-sm">
                {t(`steps.${step}`)} <span className="sr-only">{t("done")}</span>
              </span>
            ) : (
              <Step step={step}>{t(`steps.${step}`)}</Step>
            )}
          </li>
        ))}
      </ol>
    </TitledCard>
  );
}

function Step({ step, children }: { step: HomeStep; children: string }) {
  const link = {
    href: PLACES[step],
    className: "flex min-h-11 flex-1 items-center font-medium text-link text-sm hover:underline",
    children,
  };
  // A file is a download, not a page, so it needs a plain link.
  return step === "poster" ? <a {...link} /> : <Link {...link} prefetch={false} />;
}

type Overview = { open: Shift[]; differing: Shift[]; closed: number; differed: number };

/** The drawers of an owner's tills: which are open, and which did not add up lately. Nothing where none was ever opened. */
export function Drawers({ overview: { open, differing, closed, differed } }: { overview: Overview }) {
  const t = useTranslations("home.drawers");
  const shifts = useTranslations("shifts");
  const locale = useLocale();
  if (open.length === 0 && closed === 0) return null;
  return (
    <Section id="drawers" title={t("title")} aside={<AllLink href="/merchant/shifts">{t("all")}</AllLink>}>
      <Card className="grid grid-cols-1 gap-5 p-4 sm:p-5 md:grid-cols-2">
        {open.length > 0 && (
          <Part title={t("open")}>
            {open.map((shift) => (
              <Row key={shift.id} shift={shift} title={<Place shift={shift} />}>
                {t("since", { name: shift.openedBy.name, time: formatDateTime(shift.openedAt, locale) })}
              </Row>
            ))}
          </Part>
        )}
        <Part title={t("differences")}>
          {differing.length === 0 && (
            <li className="text-muted-foreground text-sm">{t("none", { count: closed })}</li>
          )}
          {differing.map((shift) => (
            <Row
              key={shift.id}
              shift={shift}
              title={shifts("report", { number: shift.number })}
              aside={<Dirhams amount={shift.difference ?? 0} signed />}
            >
              <Place shift={shift} />
            </Row>
          ))}
          {differed > differing.length && (
            <li className="text-muted-foreground text-sm">
              {t("more", { count: differed - differing.length })}
            </li>
          )}
        </Part>
      </Card>
    </Section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 font-medium text-muted-foreground text-xs">{title}</h3>
      <ul className="flex flex-col gap-1">{children}</ul>
    </div>
  );
}

function Place({ shift: { till, branch } }: { shift: Shift }) {
  return (
    <>
      <bdi>{till.name}</bdi> · <BranchName of={branch} />
    </>
  );
}

type RowProps = {
  shift: Shift;
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
};

function Row({ shift, title, aside, children }: RowProps) {
  return (
    <li>
      <Link
        href={`/merchant/shifts/${shift.id}`}
        prefetch={false}
        className="-mx-2 flex items-center gap-3 rounded-md px-2 py-1.5 hover:bg-accent"
      >
        <span className="min-w-0 flex-1">
          <span className="wrap-anywhere block font-medium text-sm">{title}</span>
          <span className="wrap-anywhere block text-muted-foreground text-xs">{children}</span>
        </span>
        {aside && <span className="shrink-0 font-semibold text-sm">{aside}</span>}
      </Link>
    </li>
  );
}

const WIDTH = 96;
const HEIGHT = 24;

/** `values`: the oldest first. In Arabic time runs leftwards. */
function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const y = (value: number) => HEIGHT - 2 - (Math.max(0, value) / highest) * (HEIGHT - 4);
  const points = values
    .map((value, index) => `${Math.round(index * step)},${Math.round(y(value))}`)
    .join(" ");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="inline-block h-6 w-24 stroke-chart-1 rtl:-scale-x-100"
      fill="none"
      strokeWidth="1.5"
      strokeLinejoin="round"
    >
      <polyline points={points} />
    </svg>
  );
}

/** Dirhams without their unit. The `main` amount of a row has it on a phone. */
function Amount({ dirhams, main = false }: { dirhams: number; main?: boolean }) {
  const locale = useLocale();
  const amount = cashValue(dirhams, 1);
  return (
    <span className={cn("tabular-nums", main && "font-medium")}>
      {main && <bdi className="md:hidden">{formatQar(amount, locale)}</bdi>}
      <bdi dir="ltr" className={main ? "max-md:hidden" : undefined}>
        {formatAmount(amount)}
      </bdi>
    </span>
  );
}

const netOf = ({ taken, redeemed }: MoneyFigures) => taken - redeemed;

/** The branches by the money they took; each opens its transactions of the period. */
export function BranchMoneyList({ branches, span }: { branches: readonly HomeBranch[]; span: PeriodSpan }) {
  const t = useTranslations("home");
  const amountColumn = (key: string, of: (now: MoneyFigures) => number): Column<HomeBranch> => ({
    header: t(key),
    align: "end",
    wide: true,
    cell: ({ now }) => <Amount dirhams={of(now)} />,
  });
  const columns: Column<HomeBranch>[] = [
    {
      header: t("branch"),
      primary: true,
      cell: ({ branch }) => (branch ? <BranchName of={branch} /> : t("noBranch")),
    },
    {
      header: t("taken"),
      align: "end",
      phone: "aside",
      cell: ({ now }) => <Amount main dirhams={now.taken} />,
    },
    amountColumn("cashHead", ({ cash }) => cash),
    amountColumn("redeemed", ({ redeemed }) => redeemed),
    amountColumn("net", netOf),
    {
      header: t("changeHead"),
      align: "end",
      phone: "below",
      cell: ({ now, before, days }) => (
        <span className="flex flex-wrap items-center justify-end gap-x-3">
          <span className="narrow me-auto text-start">
            {t("cashHead")}: <Amount dirhams={now.cash} /> ·{" "}
            <span className="max-[26rem]:hidden">
              {t("redeemed")}: <Amount dirhams={now.redeemed} /> ·{" "}
            </span>
            {t("net")}: <Amount dirhams={netOf(now)} />
          </span>
          <Change now={now.taken} before={before.taken} was={formatAmount(cashValue(before.taken, 1))} />
          <Sparkline values={days} label={t("trendLabel")} />
        </span>
      ),
    },
  ];
  return (
    <Section
      id="home-branches"
      title={t("branches")}
      aside={<p className="text-muted-foreground text-sm max-md:hidden">{t("inQar")}</p>}
    >
      <DataTable
        caption={t("branches")}
        columns={columns}
        rows={branches.map((one) => ({ ...one, id: one.branch?.id ?? "none" }))}
        rowHref={({ branch }) =>
          `/merchant/transactions?${new URLSearchParams({ ...(branch && { branchId: branch.id }), from: span.from, to: span.to })}`
        }
        empty={<EmptyState icon={MapPinIcon} title={t("noBranches")} />}
      />
    </Section>
  );
}
