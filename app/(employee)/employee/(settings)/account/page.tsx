import { LayoutDashboardIcon } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { AccountSections } from "@/app/_panels/account-sections";
import { withPassword } from "@/app/(employee)/with-password";
import { PinCard } from "@/components/accounts/pin-card";
import { Button } from "@/components/ui/button";
import { TopUpIcon } from "@/components/ui/money-icons";
import { pageTitle } from "@/lib/api/page";

export const generateMetadata = pageTitle("panels.titles.account");

/** An employee's home: their account, with the counter and today one tap away. */
async function AccountPage() {
  const t = await getTranslations("panels");
  return (
    <>
      <nav aria-label={t("quickActions")} className="mb-5 grid grid-cols-2 gap-2 sm:max-w-md">
        <Button asChild size="xl">
          <Link href="/employee/topup">
            <TopUpIcon aria-hidden /> {t("menu.topup")}
          </Link>
        </Button>
        <Button asChild size="xl" variant="outline">
          <Link href="/employee/dashboard">
            <LayoutDashboardIcon aria-hidden /> {t("menu.dashboard")}
          </Link>
        </Button>
      </nav>
      <AccountSections second={<PinCard />} />
    </>
  );
}

export default withPassword(AccountPage);
