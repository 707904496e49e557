import type { LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/empty";
import type { Messages } from "@/lib/i18n/translate";
import { ClearFilters } from "./filter-bar";

export type NoRowsProps = {
  /** The namespace that says what the list is without. */
  of: {
    [Name in keyof Messages]: Messages[Name] extends { none: string; noneText: string } ? Name : never;
  }[keyof Messages];
  icon: LucideIcon;
  filtered?: boolean;
  /** The first day of the filter is after its last one. */
  backwards?: boolean;
  add?: ReactNode;
};

/** The namespaces that also say that nothing matches the filters. */
const OWN_WORDS = ["branches", "customers", "merchants", "workers"] as const;

/** In place of an empty list. */
export function NoRows({ of, icon, filtered = false, backwards, add }: NoRowsProps) {
  const t = useTranslations();
  const found = OWN_WORDS.find((own) => own === of) ?? "list";
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
