import { AccountSections } from "@/app/_panels/account-sections";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("panels.titles.account");

export default function AccountPage() {
  return <AccountSections />;
}
