import { manifestResponse } from "@/app/_manifest";
import { pickLocale } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";
import { TILL_PAGES } from "@/lib/tills/model/offline-counter";

/** The web app manifest of the counter, in the language that its address names: the installed app opens the top-up page. */
export function GET(request: Request): Response {
  const locale = pickLocale(new URL(request.url).searchParams.get("lang") ?? undefined, null);
  const t = translator(locale);
  const own = {
    id: TILL_PAGES[0],
    // A cashier signs in on other pages of the site.
    scope: "/",
    name: `${t("common.appName")}: ${t("noConnection.installName")}`,
    short_name: t("noConnection.installName"),
    theme_color: "#172033",
  };
  return manifestResponse(own, locale, "public, max-age=3600");
}
