import { getTranslations } from "next-intl/server";
import { DashboardPage } from "@/app/_panels/dashboard";
import { withTexts } from "@/app/_texts/page-texts";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("dashboard") };
}

export default withTexts("(admin)/admin/dashboard", DashboardPage);
