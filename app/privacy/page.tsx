import { getTranslations } from "next-intl/server";
import { CustomerFrame } from "@/components/layout/customer-frame";
import { pageTitle } from "@/lib/api/page";

const PARTS = ["who", "what", "why", "share", "keep", "rights", "cookies"] as const;

export const generateMetadata = pageTitle("privacy.title");

export default async function PrivacyPage() {
  const t = await getTranslations("privacy");
  return (
    <CustomerFrame>
      <h1 className="pt-2 font-semibold text-2xl tracking-tight">{t("title")}</h1>
      <p className="mt-1 text-pretty text-muted-foreground">{t("intro")}</p>
      {PARTS.map((part) => (
        <section key={part} className="mt-6">
          <h2 className="font-semibold text-lg">{t(`parts.${part}.title`)}</h2>
          <p className="mt-1 text-pretty text-muted-foreground">{t(`parts.${part}.text`)}</p>
        </section>
      ))}
    </CustomerFrame>
  );
}
