import { CircleCheckIcon, CirclePauseIcon, CircleXIcon, ClockIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";

const KINDS = {
  approved: { variant: "success", Icon: CircleCheckIcon },
  rejected: { variant: "destructive", Icon: CircleXIcon },
  pending: { variant: "warning", Icon: ClockIcon },
} as const;

/** The badge of an approval status: "A" or "approved" is Approved, "R" or "rejected" is Rejected, anything else Pending. */
export function StatusBadge({ status, className }: { status: string; className?: string }) {
  const t = useTranslations("status");
  const kind =
    status === "A" || status === "approved"
      ? "approved"
      : status === "R" || status === "rejected"
        ? "rejected"
        : "pending";
  const { variant, Icon } = KINDS[kind];
  return (
    <Badge variant={variant} className={className}>
      <Icon aria-hidden /> {t(kind)}
    </Badge>
  );
}

/** The badge of a suspended merchant, beside that of its status. */
export function SuspendedBadge({ className }: { className?: string }) {
  const t = useTranslations("status");
  return (
    <Badge variant="warning" className={className}>
      <CirclePauseIcon aria-hidden /> {t("suspended")}
    </Badge>
  );
}
