import { getTranslations } from "next-intl/server";
import { DashboardPage } from "@/app/_panels/dashboard";
import { SignupLink } from "../account/signup-link";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("dashboard") };
}

export default function MerchantDashboardPage() {
  return (
    <div className="grid gap-5">
      <DashboardPage />
      <SignupLink />
    </div>
  );
}
