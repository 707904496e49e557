import { getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import { AuthPage } from "@/components/layout/auth-page";
import { MerchantSignUpForm } from "@/components/merchants/sign-up-form";
import { PageTools } from "@/components/theme/switches";
import { IntentLink } from "@/components/ui/intent-link";
import { pageTitle } from "@/lib/i18n/page-title";
import { signUpMerchantAction } from "./actions";

export const generateMetadata = pageTitle("merchants.signup.title");

export default async function SignUpPage() {
  const t = await getTranslations("merchants.signup");
  return (
    <AuthPage
      wide
      product={(await getTranslations("auth"))("product")}
      title={t("title")}
      intro={t("intro")}
      tools={<PageTools onLocale={saveLocaleAction} />}
      footer={
        <>
          {t("haveAccount")} <IntentLink href="/login">{t("login")}</IntentLink>
        </>
      }
    >
      <MerchantSignUpForm action={signUpMerchantAction} />
    </AuthPage>
  );
}
