import { MerchantSettingsForm } from "@/app/_panels/merchant-settings";
import { pageContext, pageTitle } from "@/lib/api/page";
import { viewSettings } from "@/lib/merchants/settings";

export const generateMetadata = pageTitle("panels.titles.settings");

export default async function SettingsPage() {
  const ctx = await pageContext(viewSettings);
  return <MerchantSettingsForm ctx={ctx} merchantId={ctx.actor.merchantId ?? ""} />;
}
