import { LocaleSwitch } from "@/components/theme/locale-switch";
import { ThemeSwitch } from "@/components/theme/theme-switch";
import type { Locale } from "@/lib/domain/roles";

/** Language and theme, for pages outside the panels. */
export function PageTools({ onLocale }: { onLocale: (locale: Locale) => Promise<unknown> }) {
  return (
    <div className="flex items-center gap-1">
      <LocaleSwitch onLocale={onLocale} compact />
      <ThemeSwitch />
    </div>
  );
}
