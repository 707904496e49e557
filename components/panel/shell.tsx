"use client";

import { MenuIcon } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { VisuallyHidden } from "radix-ui";
import { type ReactNode, useEffect, useState } from "react";
import { SessionWatch } from "@/components/session/session";
import { type StepUpActions, StepUpDialog } from "@/components/session/step-up-dialog";
import { LocaleSwitch, ThemeSwitch } from "@/components/theme/switches";
import { usePortalTheme } from "@/components/theme/use-portal-theme";
import { Button } from "@/components/ui/button";
import { Sheet, SheetContent, SheetTitle, SheetTrigger } from "@/components/ui/sheet";
import { cn } from "@/components/ui/utils";
import { type MenuEntry, PANELS } from "@/lib/domain/panels";
import type { Locale, Role } from "@/lib/domain/roles";
import { BottomBar, Sidebar } from "./navigation";
import { titleOf } from "./titles";

/** More would not fit at 360 px. */
const MOST_IN_BAR = 5;

export type ShellProps = {
  role: Role;
  userName: string;
  /** The session's public handle, kept in localStorage.token. */
  handle: string;
  onLocale?: (locale: Locale) => Promise<unknown>;
  /** The actions of the dialog that asks the user to confirm who they are. */
  stepUp?: StepUpActions;
  /** A line above every page. */
  banner?: ReactNode;
  /** Replaces the role's menu, for a merchant who is not approved. */
  menu?: readonly MenuEntry[];
  children: ReactNode;
};

/** The frame of every panel: sidebar, header with the route's title, language and theme switches, and SessionWatch. */
export function Shell({ role, userName, handle, onLocale, stepUp, banner, menu, children }: ShellProps) {
  const panel = PANELS[role];
  const entries = menu ?? panel.menu;
  const t = useTranslations();
  const [open, setOpen] = useState(false);
  usePortalTheme(panel.theme);
  useCloseOnWideScreen(setOpen);
  const hasBar = entries.length > 1 && entries.length <= MOST_IN_BAR;
  const sidebar = { role, userName, menu: entries };
  return (
    <div data-theme={panel.theme} className="flex min-h-dvh">
      <SessionWatch handle={handle} />
      {stepUp && <StepUpDialog {...stepUp} />}
      <a
        href="#main"
        className="sr-only z-60 rounded-md bg-primary px-4 py-2 text-primary-foreground focus:not-sr-only focus:fixed focus:start-4 focus:top-3"
      >
        {t("shell.skip")}
      </a>
      <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 border-e bg-sidebar md:block lg:w-64 print:hidden">
        <Sidebar {...sidebar} />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-30 flex h-16 shrink-0 items-center gap-2 border-b bg-card/90 px-3 backdrop-blur-md md:px-6 print:hidden">
          <Sheet open={open} onOpenChange={setOpen}>
            <SheetTrigger asChild>
              <Button variant="ghost" size="icon" className="md:hidden" aria-label={t("shell.openMenu")}>
                <MenuIcon className="size-5" aria-hidden />
              </Button>
            </SheetTrigger>
            <SheetContent side="start" className="gap-0" aria-describedby={undefined}>
              <VisuallyHidden.Root>
                <SheetTitle>{t("shell.menu")}</SheetTitle>
              </VisuallyHidden.Root>
              <Sidebar {...sidebar} onNavigate={() => setOpen(false)} />
            </SheetContent>
          </Sheet>
          <ShellTitle role={role} />
          <span className="rounded-full bg-primary-soft px-2 py-0.5 font-medium text-primary-strong text-xs md:hidden">
            {t(`roles.${role}.short`)}
          </span>
          <LocaleSwitch onLocale={onLocale} compact />
          <ThemeSwitch />
        </header>
        <main
          id="main"
          tabIndex={-1}
          className={cn(
            "mx-auto w-full max-w-7xl flex-1 px-4 py-5 outline-none md:px-6 md:py-6",
            hasBar && "pb-24 md:pb-6",
          )}
        >
          {banner}
          {children}
        </main>
        {hasBar && <BottomBar menu={entries} />}
      </div>
    </div>
  );
}

function ShellTitle({ role }: { role: Role }) {
  const t = useTranslations();
  const key = titleOf(role, usePathname());
  const subtitle = key && t.has(`panels.subtitles.${key}`) ? t(`panels.subtitles.${key}`) : null;
  return (
    <div className="min-w-0 flex-1">
      <h1 className="truncate font-semibold text-lg leading-tight">
        {key ? t(`panels.titles.${key}`) : t(`roles.${role}.panel`)}
      </h1>
      {subtitle && <p className="hidden truncate text-muted-foreground text-xs sm:block">{subtitle}</p>}
    </div>
  );
}

/** Closes the drawer when the window becomes wide: an open one would block the page behind a hidden menu. */
function useCloseOnWideScreen(setOpen: (open: boolean) => void) {
  useEffect(() => {
    const wide = window.matchMedia("(min-width: 768px)");
    const close = () => wide.matches && setOpen(false);
    wide.addEventListener("change", close);
    return () => wide.removeEventListener("change", close);
  }, [setOpen]);
}
