import { BanIcon, CircleCheckIcon, IdCardIcon, SnowflakeIcon, UserXIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { StateBadge } from "@/components/data/status-badge";
import { Badge } from "@/components/ui/badge";
import type { CustomerStatus } from "@/lib/customers/model/customers";

const CUSTOMER_KINDS = {
  active: { variant: "success", Icon: CircleCheckIcon },
  blocked: { variant: "destructive", Icon: BanIcon },
  frozen: { variant: "warning", Icon: SnowflakeIcon },
  erased: { variant: "secondary", Icon: UserXIcon },
} as const satisfies Record<CustomerStatus, unknown>;

/** Marks a card that carries an e-mail or phone of the merchant's staff. */
export function StaffCardBadge() {
  const t = useTranslations("customers");
  return <StateBadge of={{ variant: "warning", Icon: IdCardIcon }}>{t("heldByStaff")}</StateBadge>;
}

type CustomerStatusBadgeProps = {
  status: CustomerStatus;
  className?: string;
  textClassName?: string | undefined;
};

/** The status of a card. */
export function CustomerStatusBadge({ status, className, textClassName }: CustomerStatusBadgeProps) {
  const t = useTranslations("customers.statuses");
  const { variant, Icon } = CUSTOMER_KINDS[status];
  return (
    <Badge variant={variant} className={className}>
      <Icon aria-hidden /> <span className={textClassName}>{t(status)}</span>
    </Badge>
  );
}
