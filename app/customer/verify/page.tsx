import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { registerAction, sendCodeAction, verifyCodeAction } from "@/app/customer/actions";
import { keepLocaleAction } from "@/app/session/actions";
import { CustomerPage } from "@/components/customer/customer-page";
import { VerifyScreen } from "@/components/customer/verify-screen";
import { PageSpinner } from "@/components/panel/page-spinner";
import { PageTools } from "@/components/panel/page-tools";

export async function generateMetadata() {
  return { title: (await getTranslations("customerVerify"))("pageTitle") };
}

export default function VerifyPage() {
  return (
    <CustomerPage tools={<PageTools onLocale={keepLocaleAction} />}>
      <Suspense fallback={<PageSpinner />}>
        <VerifyScreen send={sendCodeAction} verify={verifyCodeAction} register={registerAction} />
      </Suspense>
    </CustomerPage>
  );
}
