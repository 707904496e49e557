import { ArrowLeftRightIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { ComponentProps } from "react";
import { ExportLink } from "@/components/data/export-link";
import { FilterBar } from "@/components/data/filter-bar";
import { ListCount, ListFrame } from "@/components/data/list-frame";
import { NoRows } from "@/components/data/no-rows";
import { deferRead, Streamed, StreamedList } from "@/components/data/streamed";
import { MovementTable } from "@/components/ledger/movement-table";
import { Skeleton } from "@/components/ui/skeleton";
import { pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
import { formatCount, formatPoints, formatQar, formatSignedPoints } from "@/lib/domain/money";
import type { Choice, FilterOptions } from "@/lib/domain/paging";
import { PANELS } from "@/lib/domain/panels";
import { scopeOf } from "@/lib/domain/policy";
import { movementsSchema } from "@/lib/ledger/model/movement-queries";
import { MOVEMENT_TYPES, type MovementTotals } from "@/lib/ledger/model/movements";
import { TENDERS } from "@/lib/ledger/model/tender";
import { cutDaysOf, movementTotals } from "@/lib/ledger/movement-totals";
import { filterOptions, listMovements } from "@/lib/ledger/read-movements";
import { countIsBlind } from "@/lib/tills/read-shifts";
import { customerChip } from "./customer-chip";
import { asOptions, filterBy, readList } from "./read-list";

// Administrators post nothing.
const STAFF_ROLES = ["branch_worker", "merchant_owner", "super_admin"] as const;

const choiceOf = (name: string, label: string, choices: Choice[]) =>
  choices.length > 0 && { name, label, options: asOptions(choices) };

function TransactionsFilters({
  options: { merchants, branches, staff, keys },
  all,
  ...bar
}: Pick<ComponentProps<typeof FilterBar>, "chips" | "sort" | "actions"> & {
  options: FilterOptions;
  all: boolean;
}) {
  const t = useTranslations();
  const byMerchant = choiceOf("merchantId", t("movements.merchant"), merchants);
  const fields = [
    filterBy("type", t("movements.type"), MOVEMENT_TYPES, (value) => t(`movements.types.${value}`)),
    filterBy("tender", t("movements.tender"), TENDERS, (value) => t(`movements.tenders.${value}`)),
    byMerchant && { ...byMerchant, clears: ["branchId", "workerId", "keyId"] },
    choiceOf("branchId", t("movements.branch"), branches),
    choiceOf("workerId", t("transactions.worker"), staff),
    choiceOf("keyId", t("transactions.apiKey"), keys),
    all && filterBy("actorRole", t("transactions.postedBy"), STAFF_ROLES, (role) => t(`roles.${role}.label`)),
    all && filterBy("staffCards", t("transactions.cards"), ["true"], () => t("transactions.staffCards")),
  ];
  return (
    <FilterBar
      search={t("transactions.search")}
      range={t("transactions.days")}
      fields={fields.filter((field) => field !== false)}
      {...bar}
    />
  );
}

/** `totals` is null if there are too many movements to add up. */
function TotalsBar({ totals }: { totals: MovementTotals | null }) {
  const t = useTranslations("transactions");
  const stats = useTranslations("stats");
  const locale = useLocale();
  if (totals === null) {
    return (
      <p className="mb-3 rounded-xl border bg-card px-4 py-2 text-muted-foreground text-sm shadow-card">
        {t("totalsTooMany")}
      </p>
    );
  }
  // The list says that nothing matches.
  if (totals.count === 0 && totals.net === 0) return null;
  const { gross, value } = totals;
  const item = (key: "count" | "toppedUp" | "redeemed" | "net", texts: string[], title?: string) => (
    <div title={title}>
      <dt>{t(key)}</dt>
      {texts.map((text) => (
        <dd key={text}>
          <bdi>{text}</bdi>
        </dd>
      ))}
    </div>
  );
  const moved = (key: "toppedUp" | "redeemed") => {
    const beforeReversals = gross && gross[key] !== totals[key] && formatQar(gross.value[key], locale);
    return item(
      key,
      [formatQar(value[key], locale), formatPoints(totals[key], locale)],
      // The marks keep an amount in one piece within a sentence of the other direction.
      beforeReversals ? stats("gross", { amount: `\u2068${beforeReversals}\u2069` }) : undefined,
    );
  };
  return (
    <dl aria-label={t("totals")} className="totals">
      {item("count", [formatCount(totals.count)])}
      {moved("toppedUp")}
      {moved("redeemed")}
      {item("net", [formatQar(value.net, locale, true), formatSignedPoints(totals.net, locale)])}
    </dl>
  );
}

function TotalsSkeleton() {
  return (
    <div className="totals">
      {["count", "toppedUp", "redeemed", "net"].map((key) => (
        <Skeleton key={key} className="h-5 w-40 max-sm:w-full" />
      ))}
    </div>
  );
}

export const generateMetadata = pageTitle("panels.titles.transactions");

/** The transactions in the user's scope, with the filters in the URL. */
export async function TransactionsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(movementTotals);
  // An employee does not see sums of money while one of their drawers must still be counted.
  const count = countIsBlind(ctx, {});
  const { query, list } = await readList(movementsSchema, searchParams, async (asked) => {
    const page = await listMovements(ctx, asked);
    return { ...page, cutDays: await cutDaysOf(ctx, asked, page, await count) };
  });
  const { cursor: _, limit: __, sort, ...filter } = query;
  const { blind } = await count;
  const totals = blind ? null : deferRead(movementTotals(ctx, filter));
  const [options, chips, t] = await Promise.all([
    filterOptions(ctx, { merchantId: filter.merchantId }),
    customerChip(ctx, filter.customerId),
    getTranslations("transactions"),
  ]);
  const { role } = ctx.actor;
  // Workers see only their own movements, and cannot export them.
  const base = `/${PANELS[role].segment}`;
  const ownOnly = scopeOf(role, "movements.read") === "own";
  const seesAllMerchants = role === "super_admin";
  const parts = ["customer", "sale", seesAllMerchants && "merchant", !ownOnly && "by", "balance"] as const;
  const order = { current: sort ?? "-time", fallback: "-time" };
  return (
    <ListFrame>
      <TransactionsFilters
        options={options}
        all={!ownOnly}
        chips={chips}
        sort={{ order, time: "time" }}
        actions={
          !ownOnly && (
            <ExportLink path={`${base}/transactions/export`} query={filter}>
              {t("export")}
            </ExportLink>
          )
        }
      />
      {totals ? (
        <Streamed small data={totals} fallback={<TotalsSkeleton />}>
          {(sums) => (
            <>
              <TotalsBar totals={sums} />
              <ListCount count={sums?.count ?? null} />
            </>
          )}
        </Streamed>
      ) : (
        <p className="mb-4 text-muted-foreground text-sm">{(await getTranslations("shifts"))("blind")}</p>
      )}
      <StreamedList data={list.data}>
        {(page) => (
          <MovementTable
            movements={page.results}
            base={base}
            order={order}
            cutDays={page.cutDays}
            parts={parts.filter((part) => part !== false)}
            empty={<NoRows of="transactions" icon={ArrowLeftRightIcon} {...list} />}
          />
        )}
      </StreamedList>
    </ListFrame>
  );
}
