import { getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import { AuthPage } from "@/components/layout/auth-page";
import { PageTools } from "@/components/theme/switches";
import { TillDoor } from "@/components/tills/sign-in/till-door";
import { safePath } from "@/lib/domain/paths";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("atTill.title");

/** The page that pairs a browser with a till, and that signs in the cashiers of the till. */
export default async function TillDoorPage({
  searchParams,
}: {
  searchParams: Promise<{ from?: string | string[] }>;
}) {
  const t = await getTranslations("auth");
  return (
    <AuthPage product={t("product")} wide tools={<PageTools onLocale={saveLocaleAction} />}>
      <TillDoor from={safePath((await searchParams).from)} />
    </AuthPage>
  );
}
