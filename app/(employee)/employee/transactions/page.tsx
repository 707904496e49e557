import { getTranslations } from "next-intl/server";
import { TransactionsPage } from "@/app/_panels/transactions";
import { withTexts } from "@/app/_texts/page-texts";
import { withPassword } from "@/app/_till/with-password";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("transactions") };
}

export default withTexts("(employee)/employee/transactions", withPassword(TransactionsPage));
