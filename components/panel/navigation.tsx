"use client";

import { CircleHelpIcon, LoaderCircleIcon, type LucideIcon } from "lucide-react";
import { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef } from "react";
import { SavedListLink } from "@/components/data/list-query";
import { type Shop, ShopMark } from "@/components/layout/shop-mark";
import { LocaleSwitch, ThemeSwitch } from "@/components/theme/switches";
import { Avatar } from "@/components/ui/avatar";
import { Logo } from "@/components/ui/logo";
import { cn } from "@/components/ui/utils";
import type { MenuEntry, MenuKey } from "@/lib/domain/panels";
import { isPathUnder } from "@/lib/domain/paths";
import type { Role } from "@/lib/domain/roles";
import { MOST_WAITING } from "@/lib/tills/model/offline-counter";
import { MENU_ICONS } from "./menu-icons";
import { SignOutButton } from "./sign-out-button";

/** The guide of a role; administrators choose one. */
const GUIDE_OF: Partial<Record<Role, string>> = { merchant_owner: "/owner", branch_worker: "/cashier" };

export type SidebarProps = {
  role: Role;
  /** The shop that the panel is of; absent for administrators. */
  shop?: Shop | undefined;
  userName: string;
  menu: readonly MenuEntry[];
  counts?: Partial<Record<MenuKey, number>>;
  onNavigate?: () => void;
  /** A till has no sidebar: it has the bar, and the menu in a drawer, in every width. */
  till?: boolean;
};

function partsOf(menu: readonly MenuEntry[]): { head?: MenuEntry["head"]; entries: MenuEntry[] }[] {
  const parts: { head?: MenuEntry["head"]; entries: MenuEntry[] }[] = [];
  for (const entry of menu) {
    const part = parts.at(-1);
    if (part && !entry.head) part.entries.push(entry);
    else parts.push({ head: entry.head, entries: [entry] });
  }
  return parts;
}

/** The shop and the panel's title, the menu, the signed-in user and the sign-out button. */
export function Sidebar(props: SidebarProps) {
  const { role, shop, menu, counts, onNavigate } = props;
  const t = useTranslations();
  const path = usePathname();
  const id = useId();
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: which entry is current comes with the path
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [path]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-16 shrink-0 items-center gap-3 border-b px-4 rail:px-3">
        {shop ? <ShopMark shop={shop} /> : <Logo />}
        <div className="min-w-0 rail:hidden">
          <p className="line-clamp-2 font-semibold text-sm leading-tight">
            <bdi>{shop?.name ?? t(`roles.${role}.panel`)}</bdi>
          </p>
          <p className="truncate text-muted-foreground text-xs">
            {shop ? t(`roles.${role}.panel`) : t("common.appName")}
          </p>
        </div>
      </div>
      <nav ref={nav} aria-label={t("shell.menu")} className="scrolls min-h-0 flex-1 p-3 rail:p-2">
        {partsOf(menu).map(({ head, entries }) => (
          <div key={head ?? "first"} className="nav-part">
            {head && <p id={`${id}-${head}`}>{t(`panels.heads.${head}`)}</p>}
            <ul aria-labelledby={head && `${id}-${head}`}>
              {entries.map(({ key, href }) => (
                <li key={key}>
                  <SavedListLink
                    href={href}
                    onClick={onNavigate}
                    aria-current={isPathUnder(path, href) ? "page" : undefined}
                    title={t(`panels.menu.${key}`)}
                    className="nav-link"
                  >
                    <NavIcon icon={MENU_ICONS[key]} />
                    <span>{t(`panels.menu.${key}`)}</span>
                    <Waiting count={counts?.[key]} />
                  </SavedListLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Account {...props} />
    </div>
  );
}

function Waiting({ count = 0 }: { count: number | undefined }) {
  const t = useTranslations("shell");
  if (count === 0) return null;
  return (
    <strong className="nav-count">
      {count > MOST_WAITING ? `${MOST_WAITING}+` : count} <span className="sr-only">{t("waiting")}</span>
    </strong>
  );
}

// A phone's head has no room for language and theme.
function Account({ role, shop, userName }: SidebarProps) {
  const t = useTranslations();
  return (
    <div className="flex shrink-0 flex-col border-t p-2 max-md:landscape-phone:flex-row max-md:landscape-phone:items-center lg:flex-row lg:items-center">
      <div className="flex min-w-0 grow items-center gap-3 px-2 py-1 max-md:landscape-phone:py-0 rail:flex-col rail:px-0 lg:gap-2.5 lg:px-1.5">
        <Avatar name={userName} />
        <p className="hidden max-w-full truncate text-[0.6875rem] text-muted-foreground rail:block">
          {t(`roles.${role}.short`)}
        </p>
        <div className="min-w-0 grow rail:hidden">
          <p className="font-medium text-sm">
            <bdi className="wrap-anywhere block leading-tight">{userName}</bdi>
          </p>
          <p className="text-muted-foreground text-xs">
            {t(`roles.${role}.label`)}
            {shop && <> · {t("common.appName")}</>}
          </p>
        </div>
        <a
          href={`/help${GUIDE_OF[role] ?? ""}`}
          aria-label={t("shell.help")}
          title={t("shell.help")}
          className="grid size-11 shrink-0 place-items-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground md:pointer-fine:size-9"
        >
          <CircleHelpIcon className="size-4.5" aria-hidden />
        </a>
      </div>
      <div className="flex items-center md:hidden">
        <LocaleSwitch className="h-11 grow justify-start gap-3 px-3" />
        <ThemeSwitch className="size-11" />
      </div>
      <SignOutButton
        title={t("shell.signOut")}
        className="justify-start gap-3 px-3 text-muted-foreground hover:text-foreground max-md:h-11 max-md:landscape-phone:w-auto max-md:landscape-phone:[&>span]:sr-only rail:justify-center rail:px-0 md:[&>span]:sr-only lg:size-11 lg:shrink-0 lg:justify-center lg:px-0 lg:pointer-fine:size-9"
      />
    </div>
  );
}

/** The icon of a menu link; a spinner while the link's page loads. */
export function NavIcon({ icon: Icon, className }: { icon: LucideIcon; className?: string }) {
  const { pending } = useLinkStatus();
  if (pending) return <LoaderCircleIcon className={cn("animate-spin", className)} aria-hidden />;
  return <Icon className={className} aria-hidden />;
}
