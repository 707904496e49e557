import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import { withTexts } from "@/app/_texts/page-texts";
import { AuthPage } from "@/components/layout/auth-page";
import { MerchantSignUpForm } from "@/components/merchants/sign-up-form";
import { PageTools } from "@/components/theme/switches";
import { signUpMerchantAction } from "./actions";

export async function generateMetadata() {
  return { title: (await getTranslations("merchants.signup"))("title") };
}

async function SignUpPage() {
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
          {t("haveAccount")} <Link href="/login">{t("login")}</Link>
        </>
      }
    >
      <MerchantSignUpForm action={signUpMerchantAction} />
    </AuthPage>
  );
}

export default withTexts("(auth)/signup", SignUpPage);
