import { ChevronRightIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { IntentLink } from "@/components/ui/intent-link";
import { PANELS } from "@/lib/domain/panels";
import type { Role } from "@/lib/domain/roles";
import { MENU_ICONS } from "./menu-icons";

/** The quick actions of a role's dashboard. */
export function QuickTiles({ role }: { role: Role }) {
  const t = useTranslations("panels");
  const { tiles } = PANELS[role];
  if (tiles.length === 0) return null;
  return (
    <nav aria-label={t("quickActions")}>
      <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {tiles.map(({ key, href }) => {
          const Icon = MENU_ICONS[key];
          return (
            <li key={key}>
              <IntentLink
                href={href}
                className="group flex h-full items-center gap-3 rounded-xl border bg-card p-3 font-medium text-sm shadow-card transition-colors hover:border-primary/50 hover:bg-primary-soft/40 sm:p-4"
              >
                <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-lg bg-primary-soft text-primary-strong">
                  <Icon className="size-5" aria-hidden />
                </span>
                <span className="min-w-0 flex-1 leading-tight">{t(`tiles.${key}`)}</span>
                <ChevronRightIcon
                  className="hidden size-4 shrink-0 text-muted-foreground transition-transform group-hover:translate-x-0.5 sm:block lg:hidden xl:block rtl:-scale-x-100 rtl:group-hover:-translate-x-0.5"
                  aria-hidden
                />
              </IntentLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
