"use client";

import { useTranslations } from "next-intl";
import { ChoiceLinks } from "@/components/data/choice-links";
import { FilterRange } from "@/components/data/filter-fields";
import { useUrlFilters } from "@/components/data/url-filters";
import { LazySelect } from "@/components/ui/lazy-select";
import { HOME_PERIODS, type HomeSpans } from "@/lib/domain/owner-home";

const ALL = "__all";

/** The period and the branch of the owner's home, kept in the URL. It stays in sight while the page scrolls. */
export function PeriodBar({
  spans: { period, now },
  branches,
  branchId,
}: {
  spans: HomeSpans;
  branches: readonly { id: string; name: string }[];
  branchId: string | undefined;
}) {
  const t = useTranslations("home");
  const { set } = useUrlFilters();
  return (
    <search className="sticky top-16 z-20 -mx-4 -mt-5 flex flex-wrap items-end gap-2 border-b bg-background/95 px-4 py-2 backdrop-blur-md md:-mx-6 md:-mt-6 md:px-6 print:hidden">
      <ChoiceLinks
        label={t("period")}
        choices={HOME_PERIODS}
        chosen={period}
        nameOf={(one) => t(`periods.${one}`)}
        patchOf={(one) => ({
          period: one === "today" ? null : one,
          from: one === "custom" ? now.from : null,
          to: one === "custom" ? now.to : null,
        })}
        className="flex max-w-full overflow-x-auto p-1 max-sm:w-full"
        linkClassName="grow whitespace-nowrap px-1.5 text-sm sm:px-3"
      />
      {branches.length > 1 && (
        <div className="min-w-40 max-sm:flex-1">
          <label htmlFor="home-branch" className="sr-only">
            {t("branch")}
          </label>
          <LazySelect
            id="home-branch"
            value={branchId ?? ALL}
            options={[
              { value: ALL, label: t("allBranches") },
              ...branches.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(value) => set({ branchId: value === ALL ? null : value })}
          />
        </div>
      )}
      {period === "custom" && <FilterRange label={t("days")} fallback={{ from: now.from, to: now.to }} />}
    </search>
  );
}
