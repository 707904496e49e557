import { getTranslations } from "next-intl/server";
import { OutletsPage } from "@/app/_panels/branches";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("outlets") };
}

export default OutletsPage;
