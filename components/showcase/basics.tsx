import { CheckIcon, CircleAlertIcon, CircleCheckIcon, InfoIcon, PlusIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { RelativeTime } from "@/components/data/relative-time";
import { StatusBadge, SuspendedBadge } from "@/components/data/status-badge";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { Spinner } from "@/components/ui/spinner";
import { Row, Section } from "./section";

const VARIANTS = ["default", "outline", "secondary", "soft", "ghost", "link", "destructive"] as const;
const SIZES = ["sm", "default", "lg", "xl"] as const;
const BADGES = ["default", "soft", "secondary", "outline", "success", "warning", "destructive"] as const;
const ALERTS = [
  { variant: "info", Icon: InfoIcon },
  { variant: "success", Icon: CircleCheckIcon },
  { variant: "warning", Icon: CircleAlertIcon },
  { variant: "destructive", Icon: CircleAlertIcon },
] as const;

/** Buttons in their looks, sizes and states. */
export function Buttons() {
  const t = useTranslations("showcase");
  return (
    <Section id="buttons" title={t("buttons")}>
      <Row label={t("looks")}>
        {VARIANTS.map((variant) => (
          <Button key={variant} variant={variant}>
            {t(`variants.${variant}`)}
          </Button>
        ))}
      </Row>
      <Row label={t("sizes")}>
        {SIZES.map((size) => (
          <Button key={size} size={size}>
            <PlusIcon aria-hidden /> {t("add")}
          </Button>
        ))}
        <Button size="icon" variant="outline" aria-label={t("add")}>
          <PlusIcon aria-hidden />
        </Button>
        <Button size="icon-xl" variant="outline" aria-label={t("add")}>
          <PlusIcon aria-hidden />
        </Button>
      </Row>
      <Row label={t("states")}>
        <Button disabled>{t("disabled")}</Button>
        <Button aria-disabled>
          <Spinner aria-hidden /> {t("busy")}
        </Button>
        <Button variant="outline" aria-pressed>
          <CheckIcon aria-hidden /> {t("pressed")}
        </Button>
      </Row>
    </Section>
  );
}

/** Badges, chips, banners and placeholders. */
export function MessageSamples() {
  const t = useTranslations("showcase");
  return (
    <Section id="messages" title={t("messages")}>
      <Row label={t("badges")}>
        {BADGES.map((variant) => (
          <Badge key={variant} variant={variant}>
            {t(`variants.${variant}`)}
          </Badge>
        ))}
        <StatusBadge status="approved" />
        <StatusBadge status="pending" />
        <StatusBadge status="rejected" />
        <SuspendedBadge />
      </Row>
      <Row label={t("chips")}>
        <span className="chip">
          <span className="truncate">
            {t("chip")}: <bdi>{t("person")}</bdi>
          </span>
          <button type="button" aria-label={t("removeChip")}>
            <XIcon className="size-3.5" aria-hidden />
          </button>
        </span>
        <RelativeTime date={Date.now() - 400_000} className="text-muted-foreground text-sm" />
      </Row>
      <div className="grid gap-3 sm:grid-cols-2">
        {ALERTS.map(({ variant, Icon }) => (
          <Alert key={variant} variant={variant}>
            <Icon aria-hidden />
            <AlertTitle>{t(`alerts.${variant}.title`)}</AlertTitle>
            <AlertDescription>{t(`alerts.${variant}.text`)}</AlertDescription>
          </Alert>
        ))}
      </div>
      <Row label={t("skeletons")}>
        <Skeleton className="size-10 rounded-full" />
        <Skeleton className="h-4 w-28" />
        <Skeleton className="h-6 w-20" />
      </Row>
    </Section>
  );
}
