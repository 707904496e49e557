import { useTranslations } from "next-intl";
import { NotFoundMessage } from "./not-found-message";

/** Shown for a page that does not exist or that the user may not see, with a link home. */
export function NotFoundScreen() {
  const t = useTranslations("notFound");
  return <NotFoundMessage title={t("title")} text={t("text")} home={t("home")} />;
}
