import { getTranslations } from "next-intl/server";
import { TransactionsPage } from "@/app/_panels/transactions";
import { withPassword } from "@/app/(employee)/with-password";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("transactions") };
}

export default withPassword(TransactionsPage);
