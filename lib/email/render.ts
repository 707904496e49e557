import { direction, type Locale } from "@/lib/domain/roles";
import { CODE_TEMPLATES, LETTERS } from "@/lib/email/templates/letters";
import { CONFIG_TEMPLATES, receipt } from "@/lib/email/templates/points";
import { translator } from "@/lib/i18n/translate";
import { type Block, type Content, htmlOf, type MailLook, type Template } from "./content";

export const TEMPLATES = { ...CODE_TEMPLATES, ...CONFIG_TEMPLATES, ...LETTERS, receipt };
export type TemplateName = keyof typeof TEMPLATES;
export type TemplateParams = { [Name in TemplateName]: Parameters<(typeof TEMPLATES)[Name]>[1] };

export type RenderedEmail = { subject: string; text: string; html: string };

/** Isolates Latin letters in Arabic, which would end on the wrong side; a link could take in the mark. */
function beside(label: string, value: string, locale: Locale): string {
  const turns = direction(locale) === "rtl" && /[a-z]/i.test(value) && !/^https?:/.test(value);
  return `${label}: ${turns ? `\u2068${value}\u2069` : value}`;
}

function blockText(block: Block, locale: Locale): string {
  switch (block.kind) {
    case "text":
    case "note":
      return block.text;
    case "code":
      return `    ${block.code}`;
    case "figure":
      return beside(block.caption, block.value, locale);
    case "button":
    case "link":
      return `${block.label}:\n${block.url}`;
    case "facts":
      return block.rows.map((row) => beside(row.label, row.value, locale)).join("\n");
  }
}

function textOf(content: Content, locale: Locale, footer: string): string {
  return `${[content.heading, ...content.blocks.map((block) => blockText(block, locale)), "-- ", `${content.sender}\n${footer}`].join("\n\n")}\n`;
}

/** Renders the subject, text and HTML of an e-mail in one language; `look` is of the merchant that speaks in it. */
export function renderEmail<Name extends TemplateName>(
  template: Name,
  params: TemplateParams[Name],
  locale: Locale,
  look?: MailLook,
): RenderedEmail {
  const t = translator(locale);
  const toContent = TEMPLATES[template] as Template<TemplateParams[Name]>;
  const content = toContent({ t, locale }, params);
  const sender = look?.sender ?? content.sender;
  const footer = look
    ? `${t("email.common.footer")} · ${t("email.common.product")}`
    : t("email.common.footer");
  // Names are user input, and a header must be one line; marks of direction look like a forgery to mail filters.
  const subject = content.subject
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const shown = { ...content, sender, subject };
  return { subject, text: textOf(shown, locale, footer), html: htmlOf(shown, locale, footer, look) };
}
