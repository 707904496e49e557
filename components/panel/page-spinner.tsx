import { useTranslations } from "next-intl";
import { Spinner } from "@/components/ui/spinner";

/** What stands while a screen loads. */
export function PageSpinner() {
  const t = useTranslations("common");
  return (
    <div className="flex min-h-[60dvh] flex-col items-center justify-center gap-3 text-muted-foreground">
      <Spinner className="size-8 text-primary" />
      <p className="text-sm" aria-hidden>
        {t("loading")}
      </p>
    </div>
  );
}
