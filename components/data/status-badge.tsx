import { CircleCheckIcon, CirclePauseIcon, CircleXIcon, ClockIcon, type LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ComponentProps, ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import type { MerchantStatus } from "@/lib/domain/actor";

export type StateLook = { variant: ComponentProps<typeof Badge>["variant"]; Icon: LucideIcon };

/** The badge of a state; `children` is its word. */
export function StateBadge({ of: { variant, Icon }, children }: { of: StateLook; children: ReactNode }) {
  return (
    <Badge variant={variant}>
      <Icon aria-hidden /> {children}
    </Badge>
  );
}

const STATUSES: Record<MerchantStatus, StateLook> = {
  approved: { variant: "success", Icon: CircleCheckIcon },
  rejected: { variant: "destructive", Icon: CircleXIcon },
  pending: { variant: "warning", Icon: ClockIcon },
};

/** The badge of a merchant's approval status. */
export function StatusBadge({ status }: { status: MerchantStatus }) {
  const t = useTranslations("status");
  return <StateBadge of={STATUSES[status]}>{t(status)}</StateBadge>;
}

/** The badge of a suspended merchant, beside that of its status. */
export function SuspendedBadge() {
  const t = useTranslations("status");
  return <StateBadge of={{ variant: "warning", Icon: CirclePauseIcon }}>{t("suspended")}</StateBadge>;
}
