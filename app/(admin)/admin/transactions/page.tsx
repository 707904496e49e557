import { getTranslations } from "next-intl/server";
import { TransactionsPage } from "@/app/panels/transactions-page";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("transactions") };
}

export default TransactionsPage;
