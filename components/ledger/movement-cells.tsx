import { GiftIcon, HandCoinsIcon, HourglassIcon, ScaleIcon, Undo2Icon, UploadIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { StateBadge, type StateLook } from "@/components/data/status-badge";
import { Badge } from "@/components/ui/badge";
import { RedeemIcon, TopUpIcon } from "@/components/ui/money-icons";
import { cashValue, formatQar } from "@/lib/domain/money";
import type { MovementType } from "@/lib/ledger/model/movements";

const KINDS: Record<MovementType, StateLook> = {
  TOP_UP: { variant: "success", Icon: TopUpIcon },
  REDEEM: { variant: "warning", Icon: RedeemIcon },
  REVERSAL: { variant: "secondary", Icon: Undo2Icon },
  REFUND: { variant: "secondary", Icon: HandCoinsIcon },
  BONUS: { variant: "success", Icon: GiftIcon },
  EXPIRY: { variant: "outline", Icon: HourglassIcon },
  ADJUSTMENT: { variant: "outline", Icon: ScaleIcon },
  IMPORT: { variant: "outline", Icon: UploadIcon },
};

/** The type of a movement; `reversed` adds a badge that it was reversed. */
export function MovementTypeBadge({ type, reversed = false }: { type: MovementType; reversed?: boolean }) {
  const t = useTranslations("movements");
  const badge = <StateBadge of={KINDS[type]}>{t(`types.${type}`)}</StateBadge>;
  if (!reversed) return badge;
  return (
    <span className="badges">
      {badge}
      <Badge variant="secondary">
        <Undo2Icon className="rtl:-scale-x-100" aria-hidden /> {t("reversed")}
      </Badge>
    </span>
  );
}

/** The paid and the bonus part of an amount, in QAR and unsigned: the amount has the sign. */
export function PocketsLine({ paid, bonus, rate }: { paid: number; bonus: number; rate: number }) {
  const t = useTranslations("movements");
  const locale = useLocale();
  const worth = (points: number) => formatQar(cashValue(Math.abs(points), rate), locale);
  return <bdi>{t("pockets", { paid: worth(paid), bonus: worth(bonus) })}</bdi>;
}
