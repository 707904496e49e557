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

// Holds back a form that is sent before the page's scripts run, until action-form.tsx sends it: the browser alone
// would put what was typed, passwords too, into the address. React escapes quotes and brackets in this text.
const HOLD_BACK =
  "addEventListener(`submit`,function(e){var f=e.target;if(!f.hasAttribute(`action`)){e.preventDefault();walletEarlyForm=f}},true)";

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
        <script nonce={nonce}>{HOLD_BACK}</script>
      </body>
    </html>
  );
}
