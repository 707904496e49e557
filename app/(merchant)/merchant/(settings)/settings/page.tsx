import { getTranslations } from "next-intl/server";
import { MerchantSettingsForm } from "@/app/_panels/merchant-settings";
import { pageContext } from "@/lib/api/page";
import { viewSettings } from "@/lib/merchants/settings";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("settings") };
}

export default async function SettingsPage() {
  const ctx = await pageContext(viewSettings);
  return <MerchantSettingsForm ctx={ctx} merchantId={ctx.actor.merchantId ?? ""} />;
}
