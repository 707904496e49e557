import { getTranslations } from "next-intl/server";
import { ForgotForm } from "@/components/accounts/sign-in/forgot-form";
import { AuthPage } from "@/components/layout/auth-page";
import { pageTitle } from "@/lib/api/page";

export const generateMetadata = pageTitle("auth.forgotTitle");

export default async function ForgotPasswordPage() {
  const t = await getTranslations("auth");
  return (
    <AuthPage title={t("forgotTitle")} intro={t("forgotIntro")}>
      <ForgotForm />
    </AuthPage>
  );
}
