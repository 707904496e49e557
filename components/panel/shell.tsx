"use client";

import { MenuIcon } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SessionWatch } from "@/components/accounts/session/session";
import { StepUpHost } from "@/components/accounts/session/step-up-host";
import { usePortalTheme } from "@/components/theme/providers";
import { LocaleSwitch, ThemeSwitch } from "@/components/theme/switches";
import type { ButtonProps } from "@/components/ui/button";
import { IntentLink } from "@/components/ui/intent-link";
import { DialogButton } from "@/components/ui/use-loaded";
import { cn } from "@/components/ui/utils";
import type { MenuEntry, Panel } from "@/lib/domain/panels";
import { isPathUnder } from "@/lib/domain/paths";
import { MENU_ICONS } from "./menu-icons";
import { NavIcon, Sidebar, type SidebarProps } from "./navigation";
import { titleOf } from "./titles";

const loadMenu = () => import("./menu-drawer");

function MenuButton({ sidebar, ...props }: ButtonProps & { sidebar: SidebarProps }) {
  return (
    <DialogButton
      load={loadMenu}
      dialog={({ MenuDrawer }, button) => <MenuDrawer {...sidebar}>{button}</MenuDrawer>}
      variant="ghost"
      {...props}
    />
  );
}

type BottomBarProps = {
  menu: readonly MenuEntry[];
  till: boolean;
  more: SidebarProps | null;
};

/** The short menu of phones, and of tills in every width. `more`: the whole menu, if there is room for it. */
function BottomBar({ menu, more, till }: BottomBarProps) {
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

/** More would not fit at 360 px. */
const MOST_IN_BAR = 5;

type ShellProps = Omit<SidebarProps, "onNavigate"> & {
  /** The session's public handle, kept in localStorage.token. Without one, the caller looks after the session. */
  handle?: string;
  tools?: ReactNode;
  theme: Panel["theme"];
  bar?: readonly MenuEntry[];
  children: ReactNode;
};

/** The frame of a panel: sidebar, header, bar of a phone or a till. `data-mood` colours a counter's page. */
export function Shell({ handle, tools, theme, bar: named, children, ...sidebar }: ShellProps) {
  const { role, shop, menu, till = false } = sidebar;
  const t = useTranslations();
  const bar = named ?? menu;
  const key = titleOf(role, usePathname(), t.raw("panels.titles"));
  const mood = key === "topup" || key === "redeem" ? key : undefined;
  usePortalTheme(theme);
  const hasBar = bar.length > 1 && bar.length <= MOST_IN_BAR;
  const hasMore = !till && hasBar && bar.length < MOST_IN_BAR && bar.length < menu.length;
  return (
    <div data-theme={theme} data-mood={mood} className="flex min-h-dvh">
      {handle && <SessionWatch handle={handle} />}
      {handle && <StepUpHost />}
      <a
        href="#main"
        className="sr-only z-60 rounded-md bg-primary px-4 py-2 text-primary-foreground focus:not-sr-only focus:fixed focus:start-4 focus:top-3"
      >
        {t("shell.skip")}
      </a>
      {!till && (
        <aside className="sticky top-0 hidden h-dvh w-16 shrink-0 border-e bg-sidebar md:block lg:w-64 print:hidden">
          <Sidebar {...sidebar} />
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="panel-head sticky top-0 z-30 h-16 shrink-0 border-b print:hidden">
          <div className="mx-auto flex h-full max-w-400 items-center gap-1 px-2 md:gap-2 md:px-6">
            {hasMore ? (
              <span className="w-2 md:hidden" />
            ) : (
              <MenuButton
                sidebar={sidebar}
                size="icon"
                className={till ? undefined : "md:hidden"}
                aria-label={t("shell.openMenu")}
              >
                <MenuIcon className="size-5" aria-hidden />
              </MenuButton>
            )}
            <ShellTitle title={key} mood={mood} role={role} shop={shop} />
            {tools}
            <LocaleSwitch className="max-md:hidden" />
            <ThemeSwitch className="max-md:hidden" />
          </div>
        </header>
        <main
          id="main"
          tabIndex={-1}
          className={cn(
            "mx-auto w-full max-w-400 flex-1 px-4 py-5 outline-none md:px-6 md:py-6",
            hasBar && (till ? "pb-24 md:pb-24" : "pb-24 md:pb-6"),
          )}
        >
          {children}
        </main>
        {hasBar && <BottomBar menu={bar} more={hasMore ? sidebar : null} till={till} />}
      </div>
    </div>
  );
}

function ShellTitle({
  title: key,
  mood,
  role,
  shop,
}: Pick<ShellProps, "role" | "shop"> & { title: string | null; mood: "topup" | "redeem" | undefined }) {
  const t = useTranslations();
  const subtitle = key && t.has(`panels.subtitles.${key}`) ? t(`panels.subtitles.${key}`) : null;
  const Icon = mood && MENU_ICONS[mood];
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2.5">
      {Icon && <Icon aria-hidden className="panel-mood" />}
      <div className="min-w-0">
        <h1 className="truncate font-semibold text-sm leading-tight min-[400px]:text-base sm:text-lg">
          {key ? t(`panels.titles.${key}`) : t(`roles.${role}.panel`)}
        </h1>
        <p className="line-clamp-2 font-medium text-brand-strong text-xs leading-tight sm:hidden">
          <bdi>{shop?.name ?? t(`roles.${role}.short`)}</bdi>
        </p>
        {subtitle && <p className="hidden truncate text-muted-foreground text-xs sm:block">{subtitle}</p>}
      </div>
    </div>
  );
}
