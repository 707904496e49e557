import { getTranslations } from "next-intl/server";
import { AccountSections } from "@/app/_panels/account-sections";
import { withTexts } from "@/app/_texts/page-texts";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("account") };
}

function AccountPage() {
  return <AccountSections />;
}

export default withTexts("(admin)/admin/account", AccountPage);
