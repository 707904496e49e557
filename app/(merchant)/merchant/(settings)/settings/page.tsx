import { MerchantSettingsForm } from "@/app/_panels/merchant-settings";
import { pageContext } from "@/lib/api/page";
import { pageTitle } from "@/lib/i18n/page-title";
import { viewSettings } from "@/lib/merchants/settings";

export const generateMetadata = pageTitle("panels.titles.settings");

export default async function SettingsPage() {
  const ctx = await pageContext(viewSettings);
  return <MerchantSettingsForm ctx={ctx} merchantId={ctx.actor.merchantId ?? ""} />;
}
