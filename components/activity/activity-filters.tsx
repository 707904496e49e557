import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Chip, FilterBar } from "@/components/data/filter-bar";
import { ACTIVITY_KINDS } from "@/lib/activity/model";
import type { Choice } from "@/lib/domain/paging";

const asOptions = (choices: Choice[]) => choices.map(({ id, name }) => ({ value: id, label: name }));

/** The filters of the activity, all kept in the URL. */
export function ActivityFilters({
  options,
  chips,
  exportLink,
}: {
  options: { merchants: Choice[]; people: Choice[] };
  chips: readonly Chip[];
  exportLink: ReactNode;
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
      actions={exportLink}
    />
  );
}
