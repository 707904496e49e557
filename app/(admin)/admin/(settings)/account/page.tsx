import { getTranslations } from "next-intl/server";
import { AccountSections } from "@/app/_panels/account-sections";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("account") };
}

export default function AccountPage() {
  return <AccountSections />;
}
