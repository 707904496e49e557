import { getTranslations } from "next-intl/server";
import { BranchesPage } from "@/app/_panels/branches";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("branches") };
}

export default BranchesPage;
