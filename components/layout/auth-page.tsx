"use client";

import { useTranslations } from "next-intl";
import type { ComponentProps, ReactNode } from "react";
import { SessionWatch } from "@/components/accounts/session/session";
import { PageTools } from "@/components/theme/switches";
import { Logo } from "@/components/ui/logo";
import { cn } from "@/components/ui/utils";
import { ShopHead } from "./shop-mark";

type AuthPageProps = {
  shop?: ComponentProps<typeof ShopHead>["shop"] | null | undefined;
  title?: string;
  intro?: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
  handle?: string;
  children: ReactNode;
};

/** The frame of pages before sign-in. A client component: a page has it as HTML, and not also as data. */
export function AuthPage({ shop, title, intro, footer, wide = false, handle, children }: AuthPageProps) {
  const t = useTranslations("auth");
  return (
    <div
      data-theme="blue"
      className="group flex min-h-dvh flex-col bg-[radial-gradient(90%_70%_at_50%_0%,var(--primary-soft),transparent)] bg-background"
    >
      <SessionWatch handle={handle} />
      <header className="flex items-center justify-between gap-4 p-4 sm:px-8 sm:py-6 landscape-phone:py-1">
        {/* Where a shop speaks, the product is small print. */}
        <p className="flex min-w-0 items-center gap-2.5 group-has-data-[slot=shop-head]:text-muted-foreground group-has-data-[slot=shop-head]:text-xs group-not-has-data-[slot=shop-head]:font-semibold">
          <Logo className="size-9 shrink-0 group-has-data-[slot=shop-head]:hidden" />
          <bdi className="wrap-anywhere min-w-0 leading-tight">{t("product")}</bdi>
        </p>
        <PageTools />
      </header>
      <main
        className={`mx-auto flex w-full ${wide ? "max-w-2xl" : "max-w-md"} grow flex-col justify-center px-4 pb-16 landscape-phone:pb-4`}
      >
        <div className="rounded-2xl border bg-card p-6 text-card-foreground shadow-card sm:p-8 landscape-phone:p-4">
          {shop && <ShopHead shop={shop} />}
          {title && <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>}
          {intro && <p className="mt-1.5 text-pretty text-muted-foreground text-sm">{intro}</p>}
          <div className={cn(title && "mt-6", "[&_[data-slot=input]]:h-11")}>{children}</div>
        </div>
        {footer && (
          <div className="mt-6 text-center text-muted-foreground text-sm [&_a]:inline-block [&_a]:py-1 [&_a]:font-medium [&_a]:text-link [&_a]:underline-offset-4 [&_a]:hover:underline pointer-coarse:[&_a]:px-1.5 pointer-coarse:[&_a]:py-3">
            {footer}
          </div>
        )}
      </main>
    </div>
  );
}
