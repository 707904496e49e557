import { getTranslations } from "next-intl/server";
import { AccountSections } from "@/app/account/account-sections";
import { pageContext } from "@/lib/http/page";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("account") };
}

export default async function AccountPage() {
  return <AccountSections ctx={await pageContext("account.own")} />;
}
