import { BranchesPage } from "@/app/_panels/branches";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("panels.titles.branches");

export default BranchesPage;
