import { AccountSections } from "@/app/_panels/account-sections";
import { pageTitle } from "@/lib/api/page";

export const generateMetadata = pageTitle("panels.titles.account");

export default function AccountPage() {
  return <AccountSections />;
}
