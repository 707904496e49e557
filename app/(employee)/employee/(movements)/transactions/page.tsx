import { TransactionsPage } from "@/app/_panels/transactions";
import { withPassword } from "@/app/(employee)/with-password";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("panels.titles.transactions");

export default withPassword(TransactionsPage);
