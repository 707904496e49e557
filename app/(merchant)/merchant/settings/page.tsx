import { getTranslations } from "next-intl/server";
import { MerchantSettingsForm } from "@/app/_panels/merchant-settings";
import { pageContext } from "@/lib/http/page";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("settings") };
}

export default async function SettingsPage() {
  const ctx = await pageContext("merchant.settings");
  return <MerchantSettingsForm ctx={ctx} merchantId={ctx.actor.merchantId ?? ""} />;
}
