import { getTranslations } from "next-intl/server";
import { TransactionPage } from "@/app/_panels/transaction";
import { withPassword } from "@/app/(employee)/with-password";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("transactions") };
}

export default withPassword(TransactionPage);
