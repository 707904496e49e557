import { DashboardPage } from "@/app/_panels/dashboard";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("panels.titles.dashboard");

export default DashboardPage;
