import { getTranslations } from "next-intl/server";
import { CustomersPage } from "@/app/panels/customers-page";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("customers") };
}

export default CustomersPage;
