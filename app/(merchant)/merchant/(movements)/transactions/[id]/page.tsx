import { TransactionPage } from "@/app/_panels/transaction";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("panels.titles.transactions");

export default TransactionPage;
