import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { saveLocaleAction } from "@/app/_session/actions";
import { withTexts } from "@/app/_texts/page-texts";
import { sendCodeAction, signUpAction } from "@/app/customer/actions";
import { CustomerFrame } from "@/components/layout/customer-frame";
import { VerifyScreen } from "@/components/sign-up/verify-screen";
import { PageTools } from "@/components/theme/switches";
import { PageSpinner } from "@/components/ui/spinner";

export async function generateMetadata() {
  return { title: (await getTranslations("customerVerify"))("pageTitle") };
}

function VerifyPage() {
  return (
    <CustomerFrame tools={<PageTools onLocale={saveLocaleAction} />}>
      <Suspense fallback={<PageSpinner />}>
        <VerifyScreen send={sendCodeAction} signUp={signUpAction} />
      </Suspense>
    </CustomerFrame>
  );
}

export default withTexts("customer/verify", VerifyPage);
