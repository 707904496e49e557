import { getTranslations } from "next-intl/server";
import { TransactionsPage } from "@/app/_panels/transactions";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("transactions") };
}

export default TransactionsPage;
