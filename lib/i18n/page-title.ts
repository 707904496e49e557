import { getTranslations } from "next-intl/server";
import type { translator } from "./translate";

/** Answers the `generateMetadata` of a page whose title is this text, in the visitor's language. */
export const pageTitle = (text: Parameters<ReturnType<typeof translator>>[0]) => async () => ({
  title: (await getTranslations())(text),
});
