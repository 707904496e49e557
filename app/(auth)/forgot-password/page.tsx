import { getTranslations } from "next-intl/server";
import { forgotPasswordAction, keepLocaleAction } from "@/app/session/actions";
import { AuthPage } from "@/components/auth/auth-page";
import { ForgotForm } from "@/components/auth/forgot-form";
import { PageTools } from "@/components/panel/page-tools";

export async function generateMetadata() {
  return { title: (await getTranslations("auth"))("forgotTitle") };
}

export default async function ForgotPasswordPage() {
  const t = await getTranslations("auth");
  return (
    <AuthPage
      product={t("product")}
      title={t("forgotTitle")}
      intro={t("forgotIntro")}
      tools={<PageTools onLocale={keepLocaleAction} />}
    >
      <ForgotForm action={forgotPasswordAction} />
    </AuthPage>
  );
}
