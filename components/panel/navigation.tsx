"use client";

import { CircleHelpIcon, LoaderCircleIcon, type LucideIcon, SearchIcon } from "lucide-react";
import { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { SavedListLink } from "@/components/data/list-query";
import { Avatar, AvatarFallback, initials } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { IntentLink } from "@/components/ui/intent-link";
import { Logo } from "@/components/ui/logo";
import { cn } from "@/components/ui/utils";
import type { MenuEntry } from "@/lib/domain/panels";
import type { Role } from "@/lib/domain/roles";
import { MENU_ICONS } from "./menu-icons";
import { SignOutButton } from "./sign-out-button";

/** The guide of a role; administrators choose one. */
const GUIDE_OF: Record<Role, string> = {
  super_admin: "",
  admin: "",
  merchant_owner: "/owner",
  branch_worker: "/cashier",
};

export type SidebarProps = {
  role: Role;
  userName: string;
  menu: readonly MenuEntry[];
  onNavigate?: () => void;
  /** Opens the search, where the page's head has no button for it. */
  onSearch?: () => void;
};

/** Whether the path is this entry's page or a page below it. */
function isActive(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}

/** The panel's title, the menu, the signed-in user and the sign-out button. */
export function Sidebar({ role, userName, menu, onNavigate, onSearch }: SidebarProps) {
  const t = useTranslations();
  const path = usePathname();
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: which entry is current comes with the path
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [path]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-16 shrink-0 items-center gap-3 border-b px-4 md:max-lg:px-3">
        <Logo />
        <div className="min-w-0 md:max-lg:hidden">
          <p className="truncate font-semibold leading-tight">{t(`roles.${role}.panel`)}</p>
          <p className="truncate text-muted-foreground text-xs">{t("common.appName")}</p>
        </div>
      </div>
      {onSearch && (
        <Button variant="outline" className="mx-3 mt-3 justify-start gap-3 sm:hidden" onClick={onSearch}>
          <SearchIcon className="size-4.5" aria-hidden /> {t("palette.open")}
        </Button>
      )}
      <nav ref={nav} aria-label={t("shell.menu")} className="scrolls min-h-0 flex-1 p-3 md:max-lg:p-2">
        <ul className="flex flex-col gap-0.5">
          {menu.map(({ key, href }) => {
            const Icon = MENU_ICONS[key];
            const active = isActive(path, href);
            return (
              <li key={key}>
                <SavedListLink
                  href={href}
                  onClick={onNavigate}
                  aria-current={active ? "page" : undefined}
                  title={t(`panels.menu.${key}`)}
                  className="nav-link"
                >
                  <NavIcon icon={Icon} />
                  <span>{t(`panels.menu.${key}`)}</span>
                </SavedListLink>
              </li>
            );
          })}
        </ul>
      </nav>
      <div className="shrink-0 border-t p-3 max-md:landscape-phone:flex max-md:landscape-phone:items-center max-md:landscape-phone:py-1 md:max-lg:px-2">
        <div className="flex min-w-0 grow items-center gap-3 px-2 pt-1 pb-2 max-md:landscape-phone:py-0 md:max-lg:flex-col md:max-lg:px-0">
          <Avatar>
            <AvatarFallback>{initials(userName)}</AvatarFallback>
          </Avatar>
          <p className="hidden max-w-full truncate text-[0.6875rem] text-muted-foreground md:max-lg:block">
            {t(`roles.${role}.short`)}
          </p>
          <div className="min-w-0 grow md:max-lg:hidden">
            <p className="font-medium text-sm">
              <bdi className="block truncate">{userName}</bdi>
            </p>
            <p className="truncate text-muted-foreground text-xs">{t(`roles.${role}.label`)}</p>
          </div>
          <a
            href={`/help${GUIDE_OF[role]}`}
            aria-label={t("shell.help")}
            title={t("shell.help")}
            className="grid size-11 shrink-0 place-items-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground md:pointer-fine:size-9"
          >
            <CircleHelpIcon className="size-4.5" aria-hidden />
          </a>
        </div>
        <SignOutButton className="w-full justify-start gap-3 px-3 text-muted-foreground hover:text-foreground max-md:h-11 max-md:landscape-phone:w-auto max-md:landscape-phone:[&>span]:sr-only md:max-lg:justify-center md:max-lg:px-0 [&>span]:md:max-lg:sr-only" />
      </div>
    </div>
  );
}

/** A short menu at the bottom of the screen, for phones at the counter. Long names have a shorter one here. */
export function BottomBar({ menu }: { menu: readonly MenuEntry[] }) {
  const t = useTranslations();
  const path = usePathname();
  return (
    <nav
      aria-label={t("shell.quickMenu")}
      data-bar
      className="fixed inset-x-0 bottom-0 z-30 border-t bg-sidebar pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      <ul className="flex">
        {menu.map(({ key, href }) => {
          const Icon = MENU_ICONS[key];
          const active = isActive(path, href);
          return (
            <li key={key} className="min-w-0 flex-auto">
              <IntentLink
                href={href}
                aria-current={active ? "page" : undefined}
                className={cn(
                  "flex h-15 flex-col items-center justify-center gap-1 font-medium text-[0.6875rem] -outline-offset-2 landscape-phone:h-11 landscape-phone:flex-row landscape-phone:gap-2 landscape-phone:text-xs",
                  active ? "text-primary-strong" : "text-muted-foreground",
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
      </ul>
    </nav>
  );
}

/** The icon of a menu link; a spinner while the link's page loads. */
function NavIcon({ icon: Icon, className }: { icon: LucideIcon; className?: string }) {
  const { pending } = useLinkStatus();
  if (pending) return <LoaderCircleIcon className={cn("animate-spin", className)} aria-hidden />;
  return <Icon className={className} aria-hidden />;
}
