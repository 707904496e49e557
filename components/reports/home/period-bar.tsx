"use client";

import { useLocale, useTranslations } from "next-intl";
import { ChoiceLinks } from "@/components/data/choice-links";
import { FilterRange, FilterSelect } from "@/components/data/filter-fields";
import { useUrlFilters } from "@/components/data/url-filters";
import { OptionSelect } from "@/components/ui/select";
import { type BranchRef, branchName } from "@/lib/domain/localized-names";
import { HOME_PERIODS, type HomePeriod, type HomeSpans } from "@/lib/reports/model/owner-home";

type PeriodBarProps = { spans: HomeSpans; branches: readonly BranchRef[] };

/** The period and the branch of the owner's home, kept in the URL. It stays in sight while the page scrolls. */
export function PeriodBar({ spans: { period, now }, branches }: PeriodBarProps) {
  const t = useTranslations("home");
  const locale = useLocale();
  const { set } = useUrlFilters();
  const patchOf = (one: HomePeriod) => ({
    period: one === "today" ? null : one,
    from: one === "custom" ? now.from : null,
    to: one === "custom" ? now.to : null,
  });
  return (
    <search className="sticky top-16 z-20 -mx-4 -mt-5 flex flex-wrap items-center gap-2 bg-background/95 px-4 py-2 backdrop-blur-md md:-mx-6 md:-mt-6 md:px-6 print:hidden">
      <ChoiceLinks
        label={t("period")}
        choices={HOME_PERIODS}
        chosen={period}
        nameOf={(one) => t(`periods.${one}`)}
        patchOf={patchOf}
        className="hidden p-1 sm:flex"
        linkClassName="whitespace-nowrap px-2.5 text-sm lg:px-3"
      />
      {/* A phone has no room for a row of periods. */}
      <div className="min-w-0 flex-1 sm:hidden">
        <label htmlFor="home-period" className="sr-only">
          {t("period")}
        </label>
        <OptionSelect
          id="home-period"
          value={period}
          options={HOME_PERIODS.map((one) => ({ value: one, label: t(`periods.${one}`) }))}
          onChange={(value) => {
            const chosen = HOME_PERIODS.find((one) => one === value);
            if (chosen) set(patchOf(chosen));
          }}
        />
      </div>
      {branches.length > 1 && (
        <div className="min-w-0 max-sm:flex-1 sm:min-w-40">
          <FilterSelect
            name="branchId"
            label={t("branch")}
            hideLabel
            without={t("allBranches")}
            options={branches.map((branch) => ({ value: branch.id, label: branchName(branch, locale) }))}
          />
        </div>
      )}
      {period === "custom" && (
        <div className="max-sm:w-full">
          <FilterRange hideLabel label={t("days")} fallback={{ from: now.from, to: now.to }} />
        </div>
      )}
    </search>
  );
}
