import type { LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PageTools } from "@/components/theme/switches";
import { Logo } from "@/components/ui/logo";
import { cn } from "@/components/ui/utils";
import type { Locale } from "@/lib/domain/roles";

type CustomerFrameProps = {
  /** The merchant's name; without it the header shows the product's logo and name. */
  head?: ReactNode;
  onLocale?: (locale: Locale) => Promise<unknown>;
  wide?: boolean;
  children: ReactNode;
};

/** The frame of customer pages: a small header with language and theme, and one column. */
export function CustomerFrame({ head, onLocale, wide = false, children }: CustomerFrameProps) {
  const t = useTranslations("common");
  const width = wide ? "max-w-5xl sm:px-6" : "max-w-md";
  return (
    <div className="flex min-h-dvh flex-col bg-[radial-gradient(120%_60%_at_50%_0%,var(--accent),transparent)]">
      <header className={cn("mx-auto flex w-full items-center justify-between gap-3 px-4 py-3", width)}>
        {head ? (
          <p dir="auto" className="wrap-anywhere line-clamp-3 min-w-0 font-semibold text-sm leading-tight">
            {head}
          </p>
        ) : (
          <p className="flex min-w-0 items-center gap-2.5 font-semibold text-sm">
            <Logo className="size-8" />
            <span className="truncate">{t("appName")}</span>
          </p>
        )}
        <PageTools onLocale={onLocale} />
      </header>
      <main className={cn("mx-auto flex w-full grow flex-col px-4 pb-12", width)}>{children}</main>
    </div>
  );
}

type CustomerNoticeProps = {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** Reads a later message in the same place aloud. */
  live?: boolean;
};

/** A page with one message and an optional action. */
export function CustomerNotice({ icon: Icon, title, children, action, live = false }: CustomerNoticeProps) {
  return (
    <section
      aria-live={live ? "polite" : undefined}
      className="my-auto flex flex-col items-center gap-3 py-10 text-center"
    >
      <span className="grid size-16 place-items-center rounded-full bg-primary-soft text-primary-strong">
        <Icon className="size-8" aria-hidden />
      </span>
      <h1 className="text-balance font-semibold text-2xl">{title}</h1>
      <div className="max-w-sm text-balance text-muted-foreground">{children}</div>
      {action && <div className="mt-4 flex w-full flex-col gap-2">{action}</div>}
    </section>
  );
}
