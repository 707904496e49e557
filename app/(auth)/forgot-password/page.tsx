import { getTranslations } from "next-intl/server";
import { forgotPasswordAction, saveLocaleAction } from "@/app/_session/actions";
import { ForgotForm } from "@/components/accounts/sign-in/forgot-form";
import { AuthPage } from "@/components/layout/auth-page";
import { PageTools } from "@/components/theme/switches";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("auth.forgotTitle");

export default async function ForgotPasswordPage() {
  const t = await getTranslations("auth");
  return (
    <AuthPage
      product={t("product")}
      title={t("forgotTitle")}
      intro={t("forgotIntro")}
      tools={<PageTools onLocale={saveLocaleAction} />}
    >
      <ForgotForm action={forgotPasswordAction} />
    </AuthPage>
  );
}
