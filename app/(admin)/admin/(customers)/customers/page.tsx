import { CustomersPage } from "@/app/_panels/customers";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("panels.titles.customers");

export default CustomersPage;
