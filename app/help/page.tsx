import { ChevronRightIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { CustomerFrame } from "@/components/layout/customer-frame";
import { IntentLink } from "@/components/ui/intent-link";
import { pageTitle } from "@/lib/api/page";
import { GUIDES, type Guide } from "./guides";

export const generateMetadata = pageTitle("help.title");

export default async function HelpPage() {
  const t = await getTranslations("help");
  return (
    <CustomerFrame>
      <h1 className="pt-2 font-semibold text-2xl tracking-tight">{t("title")}</h1>
      <p className="mt-1 text-muted-foreground">{t("intro")}</p>
      <ul className="mt-6 grid gap-3">
        {(Object.keys(GUIDES) as Guide[]).map((guide) => (
          <li key={guide}>
            <IntentLink
              href={`/help/${guide}`}
              className="flex items-center justify-between gap-3 rounded-xl border bg-card p-4 hover:border-primary"
            >
              <span>
                <span className="block font-semibold">{t(`${guide}.title`)}</span>
                <span className="block text-muted-foreground text-sm">{t(`${guide}.intro`)}</span>
              </span>
              <ChevronRightIcon
                className="size-5 shrink-0 text-muted-foreground rtl:rotate-180"
                aria-hidden
              />
            </IntentLink>
          </li>
        ))}
      </ul>
    </CustomerFrame>
  );
}
