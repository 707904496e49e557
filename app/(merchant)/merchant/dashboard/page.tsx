import { getTranslations } from "next-intl/server";
import { DashboardPage } from "@/app/panels/dashboard-page";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("dashboard") };
}

export default DashboardPage;
