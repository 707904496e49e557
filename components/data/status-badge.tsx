import { CircleCheckIcon, CirclePauseIcon, CircleXIcon, ClockIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import type { MerchantStatus } from "@/lib/domain/actor";

const KINDS = {
  approved: { variant: "success", Icon: CircleCheckIcon },
  rejected: { variant: "destructive", Icon: CircleXIcon },
  pending: { variant: "warning", Icon: ClockIcon },
} as const;

/** The badge of a merchant's approval status. */
export function StatusBadge({ status }: { status: MerchantStatus }) {
  const t = useTranslations("status");
  const { variant, Icon } = KINDS[status];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden /> {t(status)}
    </Badge>
  );
}

/** The badge of a suspended merchant, beside that of its status. */
export function SuspendedBadge() {
  const t = useTranslations("status");
  return (
    <Badge variant="warning">
      <CirclePauseIcon aria-hidden /> {t("suspended")}
    </Badge>
  );
}
