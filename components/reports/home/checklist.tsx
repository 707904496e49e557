import { CheckIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { cn } from "@/components/ui/utils";
import { type Checklist, HOME_STEPS, type HomeStep } from "@/lib/reports/model/owner-home";

/** The page on which the owner does each step. */
const PLACES: Record<HomeStep, string> = {
  image: "/merchant/account",
  branch: "/merchant/branches",
  worker: "/merchant/workers",
  poster: "/merchant/account/poster",
  topUp: "/merchant/topup",
};

/** The steps that a new shop must do before its first day. */
export function ShopChecklist({ checklist }: { checklist: Checklist }) {
  const t = useTranslations("home.checklist");
  const done = HOME_STEPS.filter((step) => checklist[step]).length;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
        <p className="text-muted-foreground text-sm">{t("progress", { done, all: HOME_STEPS.length })}</p>
      </CardHeader>
      <CardContent>
        <ol className="flex flex-col divide-y">
          {HOME_STEPS.map((step, index) => (
            <li key={step} className="flex items-center gap-3 py-2 first:pt-0 last:pb-0">
              <span
                className={cn(
                  "grid size-7 shrink-0 place-items-center rounded-full border text-sm tabular-nums",
                  checklist[step] && "border-transparent bg-success-soft text-success-strong",
                )}
                aria-hidden
              >
                {checklist[step] ? <CheckIcon className="size-4" /> : index + 1}
              </span>
              {checklist[step] ? (
                <span className="text-muted-foreground text-sm">
                  {t(`steps.${step}`)} <span className="sr-only">{t("done")}</span>
                </span>
              ) : (
                <Step href={PLACES[step]} file={step === "poster"}>
                  {t(`steps.${step}`)}
                </Step>
              )}
            </li>
          ))}
        </ol>
      </CardContent>
    </Card>
  );
}

function Step({ href, file, children }: { href: string; file: boolean; children: string }) {
  const className = "flex min-h-11 flex-1 items-center font-medium text-link text-sm hover:underline";
  // A file is a download, not a page, so it needs a plain link.
  return file ? (
    <a href={href} className={className}>
      {children}
    </a>
  ) : (
    <Link href={href} prefetch={false} className={className}>
      {children}
    </Link>
  );
}
