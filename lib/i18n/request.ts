import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { LOCALE_COOKIE, pickLocale } from "@/lib/domain/roles";
import { TIME_ZONE } from "@/lib/domain/time";
import { CATALOGUES } from "./translate";

/** The configuration of next-intl. The language is not part of the path. */
export default getRequestConfig(async () => {
  const locale = pickLocale(
    (await cookies()).get(LOCALE_COOKIE)?.value,
    (await headers()).get("accept-language"),
  );
  return { locale, messages: CATALOGUES[locale], timeZone: TIME_ZONE };
});
