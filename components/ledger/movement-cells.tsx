import {
  ArrowDownToLineIcon,
  ArrowUpFromLineIcon,
  GiftIcon,
  HourglassIcon,
  ReceiptIcon,
  ScaleIcon,
  Undo2Icon,
  UploadIcon,
} from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import type { LoggedMovement, MovementType } from "@/lib/domain/movements";

/** Whose card a movement is on, also when the person is named no more. */
export function CustomerName({ movement }: { movement: LoggedMovement }) {
  const t = useTranslations("customers");
  return <bdi>{movement.customerErased ? t("erasedName") : movement.customer.fullName}</bdi>;
}

/** Who made a movement: a member of staff by name, the others by kind. */
export function ActorName({ movement: { actor } }: { movement: LoggedMovement }) {
  const t = useTranslations("movements.actors");
  return <bdi>{actor.type === "user" ? actor.name : t(actor.type)}</bdi>;
}

const KINDS = {
  TOP_UP: { variant: "success", Icon: ArrowDownToLineIcon },
  REDEEM: { variant: "warning", Icon: ArrowUpFromLineIcon },
  REVERSAL: { variant: "secondary", Icon: Undo2Icon },
  REFUND: { variant: "secondary", Icon: ReceiptIcon },
  BONUS: { variant: "success", Icon: GiftIcon },
  EXPIRY: { variant: "outline", Icon: HourglassIcon },
  ADJUSTMENT: { variant: "outline", Icon: ScaleIcon },
  IMPORT: { variant: "outline", Icon: UploadIcon },
} as const satisfies Record<MovementType, unknown>;

/** What kind of movement it is; `reversed` says beside it that it was undone. */
export function MovementTypeBadge({ type, reversed = false }: { type: MovementType; reversed?: boolean }) {
  const t = useTranslations("movements");
  const { variant, Icon } = KINDS[type];
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <Badge variant={variant}>
        <Icon aria-hidden /> {t(`types.${type}`)}
      </Badge>
      {reversed && (
        <Badge variant="secondary">
          <Undo2Icon className="rtl:-scale-x-100" aria-hidden /> {t("reversed")}
        </Badge>
      )}
    </span>
  );
}
