import { direction, pickLocale } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";
import { TILL_PAGES } from "@/lib/tills/model/offline-counter";

/** The web app manifest of the counter, in the language that its address names: the installed app opens the top-up page. */
export function GET(request: Request): Response {
  const locale = pickLocale(new URL(request.url).searchParams.get("lang") ?? undefined, null);
  const t = translator(locale);
  const icon = (size: number, purpose: "any" | "maskable") => ({
    src: purpose === "maskable" ? `/icon-maskable-${size}.png` : `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  const manifest = {
    id: TILL_PAGES[0],
    start_url: TILL_PAGES[0],
    // A cashier signs in on other pages of the site.
    scope: "/",
    name: `${t("common.appName")}: ${t("noConnection.installName")}`,
    short_name: t("noConnection.installName"),
    lang: locale,
    dir: direction(locale),
    display: "standalone",
    background_color: "#f8fafc",
    theme_color: "#172033",
    icons: [icon(192, "any"), icon(512, "any"), icon(512, "maskable")],
  };
  return Response.json(manifest, {
    headers: { "Content-Type": "application/manifest+json", "Cache-Control": "public, max-age=3600" },
  });
}
