import type { LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/empty";
import { ClearFilters } from "./filter-bar";

export type NoRowsProps = {
  /** The namespace that says what the list is without. */
  of:
    | OwnWords
    | "activity"
    | "apiKeys"
    | "holds"
    | "offline"
    | "shifts"
    | "tills"
    | "transactions"
    | "webhooks";
  /** The namespace that says that nothing matches the filters. */
  found?: OwnWords | "list";
  icon: LucideIcon;
  filtered?: boolean;
  /** The first day of the filter is after its last one. */
  backwards?: boolean;
  /** The button that adds the first row. */
  add?: ReactNode;
};

type OwnWords = "branches" | "customers" | "merchants" | "workers";

/** In place of an empty list. */
export function NoRows({ of, found = "list", icon, filtered = false, backwards, add }: NoRowsProps) {
  const t = useTranslations();
  if (!filtered)
    return <EmptyState icon={icon} title={t(`${of}.none`)} description={t(`${of}.noneText`)} action={add} />;
  return (
    <EmptyState
      icon={icon}
      title={t(`${found}.noneFound`)}
      description={t(backwards ? "list.backwards" : `${found}.noneFoundText`)}
      action={<ClearFilters />}
    />
  );
}
