import { getTranslations } from "next-intl/server";
import { TransactionPage } from "@/app/_panels/transaction";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("transactions") };
}

export default TransactionPage;
