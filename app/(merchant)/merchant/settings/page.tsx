import { getTranslations } from "next-intl/server";
import { MerchantSettingsForm } from "@/app/_panels/merchant-settings";
import { withTexts } from "@/app/_texts/page-texts";
import { pageContext } from "@/lib/api/page";
import { viewSettings } from "@/lib/merchants/settings";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("settings") };
}

async function SettingsPage() {
  const ctx = await pageContext(viewSettings);
  return <MerchantSettingsForm ctx={ctx} merchantId={ctx.actor.merchantId ?? ""} />;
}

export default withTexts("(merchant)/merchant/settings", SettingsPage);
