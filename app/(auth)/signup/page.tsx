import { getTranslations } from "next-intl/server";
import { AuthPage } from "@/components/layout/auth-page";
import { MerchantSignUpForm } from "@/components/merchants/sign-up-form";
import { IntentLink } from "@/components/ui/intent-link";
import { pageTitle } from "@/lib/api/page";

export const generateMetadata = pageTitle("merchants.signup.title");

export default async function SignUpPage() {
  const t = await getTranslations("merchants.signup");
  return (
    <AuthPage
      wide
      title={t("title")}
      intro={t("intro")}
      footer={
        <>
          {t("haveAccount")} <IntentLink href="/login">{t("login")}</IntentLink>
        </>
      }
    >
      <MerchantSignUpForm />
    </AuthPage>
  );
}
