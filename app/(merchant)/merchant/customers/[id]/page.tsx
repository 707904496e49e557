import { getTranslations } from "next-intl/server";
import { CustomerPage } from "@/app/_panels/customer";
import { withTexts } from "@/app/_texts/page-texts";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("customers") };
}

export default withTexts("(merchant)/merchant/customers/[id]", CustomerPage);
