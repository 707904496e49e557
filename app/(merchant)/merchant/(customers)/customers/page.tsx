import { getTranslations } from "next-intl/server";
import { CustomersPage } from "@/app/_panels/customers";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("customers") };
}

export default CustomersPage;
