"use client";

import { unstable_rethrow, useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useId, useTransition } from "react";
import { saveLocaleAction } from "@/app/_session/actions";
import { TitledCard } from "@/components/data/titled-card";
import { LANGUAGES } from "@/components/theme/switches";
import { THEMES, useTheme } from "@/components/theme/themes";
import { LOCALES, type Locale } from "@/lib/domain/roles";
import type { Theme } from "@/lib/domain/theme";

export function Appearance() {
  const t = useTranslations("account.appearance");
  const themes = useTranslations("theme");
  const locale = useLocale();
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const { theme, setTheme } = useTheme();
  const choose = (next: Locale) =>
    startTransition(async () => {
      await saveLocaleAction(next).catch(unstable_rethrow);
      router.refresh();
    });
  return (
    <TitledCard title={t("title")} contentClass="grid gap-4">
      <Choices
        legend={t("language")}
        value={locale}
        disabled={pending}
        options={LOCALES.map((value) => ({ value, label: <span lang={value}>{LANGUAGES[value]}</span> }))}
        onChoose={(value) => choose(value as Locale)}
      />
      <Choices
        legend={t("theme")}
        value={theme}
        options={Object.entries(THEMES).map(([value, Icon]) => ({
          value,
          label: (
            <>
              <Icon className="size-4" aria-hidden /> {themes(value as keyof typeof THEMES)}
            </>
          ),
        }))}
        onChoose={(value) => setTheme(value as Theme)}
      />
    </TitledCard>
  );
}

function Choices({
  legend,
  value,
  options,
  disabled,
  onChoose,
}: {
  legend: string;
  value: string | undefined;
  options: { value: string; label: ReactNode }[];
  disabled?: boolean;
  onChoose: (value: string) => void;
}) {
  const name = useId();
  return (
    <fieldset className="grid gap-2" disabled={disabled}>
      <legend className="mb-2 font-medium text-sm">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className="inline-flex h-10 cursor-pointer items-center gap-2 rounded-md border px-3.5 text-sm transition-colors hover:bg-accent has-checked:border-primary has-checked:bg-primary-soft has-checked:font-medium has-checked:text-primary-strong has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChoose(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
