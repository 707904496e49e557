import Link from "next/link";
import { useTranslations } from "next-intl";
import { MENU_ICONS } from "@/components/panel/menu-icons";
import { Button } from "@/components/ui/button";
import { PANELS } from "@/lib/domain/panels";
import type { Role } from "@/lib/domain/roles";

/** The pages that filter by merchant. */
const BY_MERCHANT = [
  "/admin/customers",
  "/admin/transactions",
  "/admin/liability",
  "/admin/workers",
  "/admin/outlets",
  "/admin/activity",
];

/** Links to a merchant's customers, money, people and activity, as far as the role opens those pages. */
export function MerchantLinks({ merchantId, role }: { merchantId: string; role: Role }) {
  const t = useTranslations();
  const entries = PANELS[role].menu.filter(({ href }) => BY_MERCHANT.includes(href));
  return (
    <nav aria-label={t("merchants.records")} className="mb-5 flex flex-wrap gap-2">
      {entries.map(({ key, href }) => {
        const Icon = MENU_ICONS[key];
        return (
          <Button key={key} variant="outline" size="sm" asChild>
            <Link href={`${href}?merchantId=${merchantId}`} prefetch={false}>
              <Icon aria-hidden /> {t(`panels.menu.${key}`)}
            </Link>
          </Button>
        );
      })}
    </nav>
  );
}
