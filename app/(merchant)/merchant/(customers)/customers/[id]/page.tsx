import { CustomerPage } from "@/app/_panels/customer";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("panels.titles.customers");

export default CustomerPage;
