import { BanIcon, CircleCheckIcon, SnowflakeIcon, UserXIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import type { CustomerStatus } from "@/lib/domain/customers";

const KINDS = {
  active: { variant: "success", Icon: CircleCheckIcon },
  blocked: { variant: "destructive", Icon: BanIcon },
  frozen: { variant: "warning", Icon: SnowflakeIcon },
  erased: { variant: "secondary", Icon: UserXIcon },
} as const satisfies Record<CustomerStatus, unknown>;

export function CustomerStatusBadge({ status }: { status: CustomerStatus }) {
  const t = useTranslations("customers.statuses");
  const { variant, Icon } = KINDS[status];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden /> {t(status)}
    </Badge>
  );
}
