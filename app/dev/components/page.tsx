import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { toDataURL } from "qrcode";
import { saveLocaleAction } from "@/app/_session/actions";
import { withTexts } from "@/app/_texts/page-texts";
import { PageHeader } from "@/components/data/page-header";
import { Buttons, MessageSamples } from "@/components/showcase/basics";
import { Cards } from "@/components/showcase/cards";
import { Codes, Fields } from "@/components/showcase/fields";
import { Lists } from "@/components/showcase/lists";
import { MoneyParts } from "@/components/showcase/money";
import { Overlays } from "@/components/showcase/overlays";
import { PageTools } from "@/components/theme/switches";
import { env } from "@/lib/env";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("showcase");
  return { title: t("title"), robots: { index: false } };
}

/** Every component with its states, in development and demo only. */
async function ComponentsPage() {
  if (env().APP_ENV === "production") notFound();
  const t = await getTranslations("showcase");
  return (
    <div data-theme="blue" className="min-h-dvh bg-background">
      <main className="mx-auto flex max-w-5xl flex-col gap-8 px-4 py-8">
        <PageHeader
          level={1}
          title={t("title")}
          description={t("description")}
          actions={<PageTools onLocale={saveLocaleAction} />}
          className="mb-0"
        />
        <Buttons />
        <MessageSamples />
        <Fields />
        <Codes />
        <Overlays />
        <Lists />
        <MoneyParts />
        <Cards qr={await toDataURL("https://wallet.example", { margin: 2 })} />
      </main>
    </div>
  );
}

export default withTexts("dev/components", ComponentsPage);
