import { CirclePauseIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";

/** Tells a suspended merchant's staff that they can only read, with the reason. */
export function SuspensionBanner({ reason }: { reason: string }) {
  const t = useTranslations("suspension");
  return (
    <Alert variant="warning" className="mb-5 print:hidden">
      <CirclePauseIcon aria-hidden />
      <AlertTitle>{t("bannerTitle")}</AlertTitle>
      <AlertDescription>
        <p>{t("bannerText")}</p>
        {reason && (
          <bdi className="block whitespace-pre-line break-words">{t("bannerReason", { reason })}</bdi>
        )}
      </AlertDescription>
    </Alert>
  );
}
