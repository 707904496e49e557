import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { CustomerFrame } from "@/components/layout/customer-frame";
import { IntentLink } from "@/components/ui/intent-link";
import { cn } from "@/components/ui/utils";
import { EXAMPLES, RECEIVERS } from "../developer-examples";
import { GUIDES, type Guide, isGuide, sectionsOf } from "../guides";

type Props = { params: Promise<{ guide: string }> };

async function guideOf(params: Props["params"]): Promise<Guide> {
  const { guide } = await params;
  return isGuide(guide) ? guide : notFound();
}

const PROGRAMS = { ...EXAMPLES, ...RECEIVERS };

export async function generateMetadata({ params }: Props) {
  return { title: (await getTranslations("help"))(`${await guideOf(params)}.title`) };
}

export default async function GuidePage({ params }: Props) {
  const guide = await guideOf(params);
  const t = await getTranslations("help");
  const locale = await getLocale();
  const pictures = GUIDES[guide];
  const sections = sectionsOf(guide);
  const hasPictures = Object.keys(pictures).length > 0;
  // The catalogue has a title and a text for each section; TypeScript cannot follow the two names at once.
  const words = (key: string) => t(`${guide}.${key}` as "owner.title");
  const text = (key: string) =>
    t.rich(`${guide}.${key}.text` as "owner.apply.text", {
      b: (name) => <b className="font-medium text-foreground">{name}</b>,
    });
  return (
    <CustomerFrame wide>
      <h1 className="pt-2 font-semibold text-2xl tracking-tight lg:text-3xl">{t(`${guide}.title`)}</h1>
      <p className="mt-1 text-muted-foreground">{t(`${guide}.intro`)}</p>
      <div className="mt-5 lg:mt-8 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:items-start lg:gap-12">
        <Contents sections={sections.map((id) => ({ id, title: words(`${id}.title`) }))} />
        <ol className="max-w-3xl">
          {sections.map((section, index) => (
            <li
              key={section}
              id={section}
              className={cn(
                "mt-8 scroll-mt-6 lg:first:mt-0",
                hasPictures && "md:grid md:grid-cols-[minmax(0,1fr)_12rem] md:gap-8",
              )}
            >
              <div>
                <h2 className="flex items-center gap-2.5 font-semibold text-lg">
                  <StepNumber index={index} />
                  {words(`${section}.title`)}
                </h2>
                <p className="mt-2 text-pretty text-muted-foreground">{text(section)}</p>
                {guide === "developers" && Object.hasOwn(PROGRAMS, section) && (
                  <pre
                    dir="ltr"
                    className="mt-3 overflow-x-auto rounded-xl border bg-muted p-4 text-xs"
                    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
                    tabIndex={0}
                  >
                    <code>{PROGRAMS[section as keyof typeof PROGRAMS]}</code>
                  </pre>
                )}
              </div>
              {pictures[section] && (
                // biome-ignore lint/performance/noImgElement: the file has its final size already.
                <img
                  src={`/help/${pictures[section]}.${locale}.jpg`}
                  alt=""
                  width={390}
                  height={640}
                  loading="lazy"
                  className="mx-auto h-auto w-full max-w-60 rounded-xl border shadow-sm max-md:mt-4"
                />
              )}
            </li>
          ))}
        </ol>
      </div>
    </CustomerFrame>
  );
}

async function Contents({ sections }: { sections: readonly { id: string; title: string }[] }) {
  const t = await getTranslations("help");
  return (
    <nav
      aria-label={t("contents")}
      className="rounded-xl border bg-card p-2 text-sm lg:sticky lg:top-6 max-lg:max-w-3xl"
    >
      <ol className="grid sm:grid-cols-2 lg:grid-cols-1">
        {sections.map(({ id, title }, index) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-10 items-center gap-2.5 rounded-md px-2.5 py-1.5 leading-snug hover:bg-accent"
            >
              <StepNumber index={index} />
              {title}
            </a>
          </li>
        ))}
      </ol>
      <IntentLink
        href="/help"
        className="mt-1 block border-t px-2.5 pt-2.5 pb-1.5 text-link underline-offset-4 hover:underline"
      >
        {t("all")}
      </IntentLink>
    </nav>
  );
}

/** The number of a step; a list's own markers would stand apart from it. */
function StepNumber({ index }: { index: number }) {
  return (
    <span
      aria-hidden
      className="grid size-6 shrink-0 place-items-center rounded-full bg-primary-soft font-semibold text-primary-strong text-xs tabular-nums"
    >
      {index + 1}
    </span>
  );
}
