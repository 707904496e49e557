import Link from "next/link";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import { withTexts } from "@/app/_texts/page-texts";
import { CustomerFrame } from "@/components/layout/customer-frame";
import { PageTools } from "@/components/theme/switches";
import { GUIDES, type Guide, isGuide } from "../guides";

type Props = { params: Promise<{ guide: string }> };

async function guideOf(params: Props["params"]): Promise<Guide> {
  const { guide } = await params;
  return isGuide(guide) ? guide : notFound();
}

export async function generateMetadata({ params }: Props) {
  return { title: (await getTranslations("help"))(`${await guideOf(params)}.title`) };
}

async function GuidePage({ params }: Props) {
  const guide = await guideOf(params);
  const t = await getTranslations("help");
  const locale = await getLocale();
  const { sections } = GUIDES[guide];
  const pictures: Record<string, string> = GUIDES[guide].pictures;
  // The catalogue has a title and a text for each section; TypeScript cannot follow the two names at once.
  const words = (key: string) => t(`${guide}.${key}` as "owner.title");
  return (
    <CustomerFrame tools={<PageTools onLocale={saveLocaleAction} />}>
      <h1 className="pt-2 font-semibold text-2xl tracking-tight">{t(`${guide}.title`)}</h1>
      <p className="mt-1 text-muted-foreground">{t(`${guide}.intro`)}</p>
      <ol className="mt-2">
        {sections.map((section, index) => (
          <li key={section} className="mt-6">
            <h2 className="flex items-baseline gap-2 font-semibold text-lg">
              <span className="tabular-nums text-primary-strong">{index + 1}</span>
              {words(`${section}.title`)}
            </h2>
            <p className="mt-1 text-pretty text-muted-foreground">{words(`${section}.text`)}</p>
            {pictures[section] && (
              // biome-ignore lint/performance/noImgElement: the file has its final size already.
              <img
                src={`/help/${pictures[section]}.${locale}.jpg`}
                alt=""
                width={390}
                height={640}
                loading="lazy"
                className="mx-auto mt-4 h-auto w-full max-w-72 rounded-xl border shadow-sm"
              />
            )}
          </li>
        ))}
      </ol>
      <Link href="/help" className="mt-8 text-center text-primary-strong underline-offset-4 hover:underline">
        {t("all")}
      </Link>
    </CustomerFrame>
  );
}

export default withTexts("help/[guide]", GuidePage);
