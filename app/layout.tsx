import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { AreaTexts } from "@/app/_texts/area-texts";
import { Providers } from "@/components/theme/providers";
import { direction } from "@/lib/domain/roles";
import { THEME_COOKIE, themeClass } from "@/lib/domain/theme";
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
  const locale = await getLocale();
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  // Known before the first paint. A script that finds it out would hold up the page until its style sheet is there.
  const theme = themeClass((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang={locale} dir={direction(locale)} className={theme} suppressHydrationWarning>
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
