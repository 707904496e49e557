import { getTranslations } from "next-intl/server";
import { CustomerPage } from "@/app/_panels/customer";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("customers") };
}

export default CustomerPage;
