"use client";

import { LanguagesIcon, MoonIcon, SunIcon } from "lucide-react";
import { unstable_rethrow, useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useTransition } from "react";
import { saveLocaleAction } from "@/app/_session/actions";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/use-loaded";
import { cn } from "@/components/ui/utils";
import { LOCALE_COOKIE, type Locale } from "@/lib/domain/roles";

export const LANGUAGES: Record<Locale, string> = { en: "English", ar: "العربية" };
const YEAR_SECONDS = 365 * 24 * 60 * 60;

type LocaleSwitchProps = {
  onLocale?: (locale: Locale) => Promise<unknown>;
  /** Only the icon on small screens. */
  compact?: boolean;
  className?: string;
};

/** Stores the chosen language in a cookie and by the server action `onLocale`, and refreshes the page. */
export function LocaleSwitch({ onLocale = saveLocaleAction, compact = false, className }: LocaleSwitchProps) {
  const other: Locale = useLocale() === "ar" ? "en" : "ar";
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const change = () =>
    startTransition(async () => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers people still use
      document.cookie = `${LOCALE_COOKIE}=${other};path=/;max-age=${YEAR_SECONDS};samesite=lax`;
      // Without a connection only the cookie stores the choice.
      await onLocale(other).catch(unstable_rethrow);
      router.refresh();
    });
  return (
    <Button
      variant="ghost"
      lang={other}
      onClick={change}
      aria-disabled={pending || undefined}
      aria-label={LANGUAGES[other]}
      className={cn("base:min-w-10 base:px-2.5 pointer-coarse:min-w-11", className)}
    >
      <LanguagesIcon aria-hidden />
      {/* Arabic has the device's own font here: one word would load 45 kB of ours. */}
      <span
        className={cn(other === "ar" && "[font-family:system-ui,sans-serif]", compact && "hidden sm:inline")}
      >
        {LANGUAGES[other]}
      </span>
    </Button>
  );
}

const loadMenu = () => import("./theme-menu");

/** Chooses light, dark or the system's theme. */
export function ThemeSwitch({ className }: { className?: string }) {
  const t = useTranslations("theme");
  return (
    <DialogButton
      load={loadMenu}
      dialog={({ ThemeMenu }, button) => <ThemeMenu>{button}</ThemeMenu>}
      variant="ghost"
      size="icon"
      className={className}
      aria-label={t("label")}
      aria-haspopup="menu"
    >
      <SunIcon className="dark:hidden" aria-hidden />
      <MoonIcon className="hidden dark:block" aria-hidden />
    </DialogButton>
  );
}

/** Language and theme switches, for pages outside the panels. A visitor finds their language by its name. */
export function PageTools(locale: Pick<LocaleSwitchProps, "onLocale" | "compact">) {
  return (
    <div className="flex shrink-0 items-center">
      <LocaleSwitch {...locale} className="h-11 min-w-11" />
      <ThemeSwitch className="size-11" />
    </div>
  );
}
