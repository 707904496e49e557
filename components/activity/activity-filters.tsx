import { DownloadIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { FilterBar, FilterDate, FilterSelect } from "@/components/data/filter-bar";
import { DownloadLink } from "@/components/session/download-link";
import { Button } from "@/components/ui/button";
import { ACTIVITY_KINDS } from "@/lib/domain/activity";
import type { Choice } from "@/lib/domain/paging";

const NAMES = ["kind", "actorId", "merchantId", "from", "to", "customerId"];
const asOptions = (choices: Choice[]) => choices.map(({ id, name }) => ({ value: id, label: name }));

/** The filters of the activity, all kept in the URL. */
export function ActivityFilters({
  options,
  exportHref,
}: {
  options: { merchants: Choice[]; people: Choice[] };
  exportHref: string;
}) {
  const t = useTranslations("activity");
  return (
    <FilterBar
      names={NAMES}
      fold
      actions={
        <Button variant="outline" asChild>
          <DownloadLink href={exportHref}>
            <DownloadIcon aria-hidden /> {t("export")}
          </DownloadLink>
        </Button>
      }
    >
      <FilterSelect
        name="kind"
        label={t("kind")}
        options={ACTIVITY_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
      />
      {options.merchants.length > 0 && (
        <FilterSelect
          name="merchantId"
          label={t("merchant")}
          options={asOptions(options.merchants)}
          clears={["actorId"]}
        />
      )}
      <FilterSelect name="actorId" label={t("person")} options={asOptions(options.people)} />
      <FilterDate name="from" label={t("from")} />
      <FilterDate name="to" label={t("to")} />
    </FilterBar>
  );
}
