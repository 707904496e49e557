import { LoaderCircleIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { cn } from "./utils";

/** A spinner, labelled "Loading" for screen readers unless `aria-hidden` is set. */
export function Spinner({ className, ...props }: ComponentProps<"svg">) {
  const t = useTranslations("common");
  return (
    <LoaderCircleIcon
      role="status"
      aria-label={t("loading")}
      className={cn("base:size-4 animate-spin", className)}
      {...props}
    />
  );
}

/** Shown while a page loads. */
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
