import { getTranslations } from "next-intl/server";
import { DashboardPage } from "@/app/_panels/dashboard";
import { withTexts } from "@/app/_texts/page-texts";
import { SignupLink } from "../account/signup-link";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("dashboard") };
}

function MerchantDashboardPage() {
  return (
    <div className="grid gap-5">
      <DashboardPage />
      <SignupLink />
    </div>
  );
}

export default withTexts("(merchant)/merchant/dashboard", MerchantDashboardPage);
