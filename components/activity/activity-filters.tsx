import { DownloadIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { DownloadLink } from "@/components/accounts/session/download-link";
import { FilterBar } from "@/components/data/filter-bar";
import type { Chip } from "@/components/data/filter-chips";
import { Button } from "@/components/ui/button";
import { ACTIVITY_KINDS } from "@/lib/activity/model";
import type { Choice } from "@/lib/domain/paging";

const asOptions = (choices: Choice[]) => choices.map(({ id, name }) => ({ value: id, label: name }));

/** The filters of the activity, all kept in the URL. */
export function ActivityFilters({
  options,
  exportHref,
  chips,
}: {
  options: { merchants: Choice[]; people: Choice[] };
  exportHref: string;
  chips: readonly Chip[];
}) {
  const t = useTranslations("activity");
  const fields = [
    {
      name: "kind",
      label: t("kind"),
      options: ACTIVITY_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) })),
    },
    options.merchants.length > 0 && {
      name: "merchantId",
      label: t("merchant"),
      options: asOptions(options.merchants),
      clears: ["actorId"],
    },
    { name: "actorId", label: t("person"), options: asOptions(options.people) },
  ];
  return (
    <FilterBar
      range={t("days")}
      fields={fields.filter((field) => field !== false)}
      chips={chips}
      actions={
        <Button variant="outline" asChild>
          <DownloadLink href={exportHref}>
            <DownloadIcon aria-hidden /> {t("export")}
          </DownloadLink>
        </Button>
      }
    />
  );
}
