import { getTranslations } from "next-intl/server";
import { CustomersPage } from "@/app/_panels/customers";
import { withTexts } from "@/app/_texts/page-texts";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("customers") };
}

export default withTexts("(admin)/admin/customers", CustomersPage);
