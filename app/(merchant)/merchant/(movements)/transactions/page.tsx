import { TransactionsPage } from "@/app/_panels/transactions";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("panels.titles.transactions");

export default TransactionsPage;
