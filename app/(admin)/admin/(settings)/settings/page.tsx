import { PlatformForm } from "@/components/merchants/platform-form";
import { WaitingLimit } from "@/components/points-config/waiting-change";
import { pageContext, pageTitle } from "@/lib/api/page";
import { viewPlatform } from "@/lib/merchants/settings";

export const generateMetadata = pageTitle("panels.titles.settings");

export default async function PlatformSettingsPage() {
  const settings = await viewPlatform(await pageContext(viewPlatform), {});
  return (
    <div className="flex max-w-xl flex-col gap-5">
      <WaitingLimit pending={settings.pending} decides />
      <PlatformForm key={JSON.stringify(settings)} settings={settings} />
    </div>
  );
}
