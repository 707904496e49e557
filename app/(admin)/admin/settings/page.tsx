import { getTranslations } from "next-intl/server";
import { PlatformForm } from "@/components/merchants/platform-form";
import { pageContext } from "@/lib/http/page";
import { viewPlatform } from "@/lib/merchants/platform-settings";
import { changePlatformAction } from "./actions";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("settings") };
}

export default async function PlatformSettingsPage() {
  const settings = await viewPlatform(await pageContext("platform.settings"), {});
  return (
    <PlatformForm key={settings.redeemAllowanceCeiling} settings={settings} action={changePlatformAction} />
  );
}
