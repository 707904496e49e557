import type { LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { EmptyState } from "@/components/ui/empty";
import { ClearFilters } from "./filter-bar";

/** Stands instead of a list whose filters match nothing. `backwards`: its first day is after its last one. */
export function NoneFound({ icon, backwards }: { icon: LucideIcon; backwards?: boolean }) {
  const t = useTranslations("list");
  return (
    <EmptyState
      icon={icon}
      title={t("noneFound")}
      description={t(backwards ? "backwards" : "noneFoundText")}
      action={<ClearFilters />}
    />
  );
}
