import { LayoutDashboardIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { AccountSections } from "@/app/_panels/account-sections";
import { withPassword } from "@/app/(employee)/with-password";
import { PinCard } from "@/components/accounts/pin-card";
import { LinkButton } from "@/components/ui/button";
import { TopUpIcon } from "@/components/ui/money-icons";
import { pageTitle } from "@/lib/api/page";

export const generateMetadata = pageTitle("panels.titles.account");

async function AccountPage() {
  const t = await getTranslations("panels");
  return (
    <>
      <nav aria-label={t("quickActions")} className="mb-5 grid grid-cols-2 gap-2 sm:max-w-md">
        <LinkButton size="xl" href="/employee/topup">
          <TopUpIcon aria-hidden /> {t("menu.topup")}
        </LinkButton>
        <LinkButton size="xl" variant="outline" href="/employee/dashboard">
          <LayoutDashboardIcon aria-hidden /> {t("menu.dashboard")}
        </LinkButton>
      </nav>
      <AccountSections second={<PinCard />} />
    </>
  );
}

export default withPassword(AccountPage);
