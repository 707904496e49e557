"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/utils";
import type { MenuEntry } from "@/lib/domain/panels";
import { MENU_ICONS } from "./icons";
import { NavIcon } from "./nav-icon";
import { isActive } from "./sidebar";

/** A short menu within a thumb's reach, for phones at the counter. */
export function BottomBar({ menu }: { menu: readonly MenuEntry[] }) {
  const t = useTranslations();
  const path = usePathname();
  return (
    <nav
      aria-label={t("shell.quickMenu")}
      className="fixed inset-x-0 bottom-0 z-30 border-t bg-sidebar pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      <ul className="flex">
        {menu.map(({ key, href }) => {
          const Icon = MENU_ICONS[key];
          const active = isActive(path, href);
          return (
            <li key={key} className="flex-1">
              <Link
                href={href}
                aria-current={active ? "page" : undefined}
                className={cn(
                  "flex h-15 flex-col items-center justify-center gap-1 font-medium text-xs -outline-offset-2",
                  active ? "text-primary-strong" : "text-muted-foreground",
                )}
              >
                <NavIcon icon={Icon} className="size-5.5" />
                {t(`panels.menu.${key}`)}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
