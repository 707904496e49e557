import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { AreaTexts } from "@/app/_texts/area-texts";
import { Providers } from "@/components/theme/providers";
import { direction, type Locale } from "@/lib/domain/roles";
import "./globals.css";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("common");
  return {
    title: { default: t("appName"), template: `%s · ${t("appName")}` },
    manifest: "/manifest.webmanifest",
  };
}

export const viewport: Viewport = { width: "device-width", initialScale: 1, viewportFit: "cover" };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const locale = (await getLocale()) as Locale;
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang={locale} dir={direction(locale)} suppressHydrationWarning>
      <body>
        <AreaTexts area="root">
          <Providers locale={locale} nonce={nonce}>
            {children}
          </Providers>
        </AreaTexts>
      </body>
    </html>
  );
}
