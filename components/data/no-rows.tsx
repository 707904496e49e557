import type { LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { EmptyState } from "@/components/ui/empty";
import { ClearFilters } from "./filter-bar";

/** In place of an empty list. `backwards`: the first day of the filter is after its last one. */
export function NoRows({
  icon,
  filtered,
  backwards,
  title,
  text,
}: {
  icon: LucideIcon;
  filtered: boolean;
  backwards?: boolean;
  title: string;
  text: string;
}) {
  const t = useTranslations("list");
  if (!filtered) return <EmptyState icon={icon} title={title} description={text} />;
  return (
    <EmptyState
      icon={icon}
      title={t("noneFound")}
      description={t(backwards ? "backwards" : "noneFoundText")}
      action={<ClearFilters />}
    />
  );
}
