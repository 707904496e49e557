import { getTranslations } from "next-intl/server";
import { DashboardPage } from "@/app/_panels/dashboard";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("dashboard") };
}

export default DashboardPage;
