import { getTranslations } from "next-intl/server";
import type { translator } from "./translate";

type TextKey = Parameters<ReturnType<typeof translator>>[0];

/** Answers the `generateMetadata` of a page whose title is this text, in the visitor's language. */
export const pageTitle = (text: TextKey) => async () => ({ title: (await getTranslations())(text) });

/** The same for a page whose address holds a secret, which must not leak through the Referer header. */
export const secretPageTitle = (text: TextKey) => async () => ({
  title: (await getTranslations())(text),
  referrer: "no-referrer" as const,
});
