import { OutletsPage } from "@/app/_panels/branches";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("panels.titles.outlets");

export default OutletsPage;
