"use client";

import { MenuIcon } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ButtonProps } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import { IntentLink } from "@/components/ui/intent-link";
import { cn } from "@/components/ui/utils";
import type { MenuEntry } from "@/lib/domain/panels";
import { isPathUnder } from "@/lib/domain/paths";
import { MENU_ICONS } from "./menu-icons";
import { NavIcon, type SidebarProps } from "./navigation";

const loadMenu = () => import("./menu-drawer");

/** A button that opens the whole menu in a drawer. */
export function MenuButton({ sidebar, ...props }: ButtonProps & { sidebar: SidebarProps }) {
  return (
    <DialogButton
      load={loadMenu}
      dialog={({ MenuDrawer }, button) => <MenuDrawer {...sidebar}>{button}</MenuDrawer>}
      variant="ghost"
      {...props}
    />
  );
}

/** A short menu at the bottom of the screen, for phones and for tills. Long names have a shorter one here. */
export function BottomBar({
  menu,
  more,
  till,
}: {
  menu: readonly MenuEntry[];
  /** A till has it in every width. */
  till: boolean;
  /** The whole menu, where the bar has not all of it and room for one more. */
  more: SidebarProps | null;
}) {
  const t = useTranslations();
  const path = usePathname();
  return (
    <nav
      aria-label={t("shell.quickMenu")}
      data-bar={till ? "till" : ""}
      className={cn(
        "fixed inset-x-0 bottom-0 z-30 border-t bg-sidebar pb-[env(safe-area-inset-bottom)] print:hidden",
        !till && "md:hidden",
      )}
    >
      <ul className="flex">
        {menu.map(({ key, href }) => {
          const Icon = MENU_ICONS[key];
          const active = isPathUnder(path, href);
          return (
            <li key={key} className="min-w-0 flex-auto">
              <IntentLink
                href={href}
                aria-current={active ? "page" : undefined}
                className={cn(
                  "flex flex-col items-center justify-center gap-1 font-medium text-[0.6875rem] -outline-offset-2 landscape-phone:h-11 landscape-phone:flex-row landscape-phone:gap-2 landscape-phone:text-xs",
                  till ? "h-16 sm:text-sm" : "h-15",
                  active ? "text-brand-strong" : "text-muted-foreground",
                )}
              >
                <NavIcon icon={Icon} className="size-5.5" />
                <span className="max-w-full truncate">
                  {t.has(`panels.bar.${key}`) ? t(`panels.bar.${key}`) : t(`panels.menu.${key}`)}
                </span>
              </IntentLink>
            </li>
          );
        })}
        {more && (
          <li className="min-w-0 flex-auto">
            <MenuButton
              sidebar={more}
              className="flex h-15 w-full flex-col gap-1 rounded-none px-1 text-[0.6875rem] text-muted-foreground landscape-phone:h-11 landscape-phone:flex-row landscape-phone:gap-2 landscape-phone:text-xs"
            >
              <span className="relative">
                <MenuIcon className="size-5.5" aria-hidden />
                {Object.values(more.counts ?? {}).some((count) => count > 0) && (
                  <span className="absolute -end-1 -top-0.5 size-2.5 rounded-full border-2 border-sidebar bg-primary" />
                )}
              </span>
              <span className="max-w-full truncate">{t("shell.more")}</span>
            </MenuButton>
          </li>
        )}
      </ul>
    </nav>
  );
}
