import { getTranslations } from "next-intl/server";
import { TransactionPage } from "@/app/panels/transaction-page";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("transactions") };
}

export default TransactionPage;
