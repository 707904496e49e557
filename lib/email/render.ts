import type { Locale } from "@/lib/domain/roles";
import { CODE_TEMPLATES, LETTERS } from "@/lib/email/templates/letters";
import { CONFIG_TEMPLATES, receipt } from "@/lib/email/templates/points";
import { translator } from "@/lib/i18n/translate";
import { type Block, type Content, htmlOf, type MailLook, type Template } from "./content";

/** All e-mail templates by name. */
export const TEMPLATES = { ...CODE_TEMPLATES, ...CONFIG_TEMPLATES, ...LETTERS, receipt };
export type TemplateName = keyof typeof TEMPLATES;
export type TemplateParams = { [Name in TemplateName]: Parameters<(typeof TEMPLATES)[Name]>[1] };

export type RenderedEmail = { subject: string; text: string; html: string };

function blockText(block: Block): string {
  switch (block.kind) {
    case "text":
    case "note":
      return block.text;
    case "code":
      return `    ${block.code}`;
    case "figure":
      return `${block.caption}: ${block.value}`;
    case "button":
    case "link":
      return `${block.label}:\n${block.url}`;
    case "facts":
      return block.rows.map((row) => `${row.label}: ${row.value}`).join("\n");
  }
}

function textOf(content: Content, footer: string): string {
  return `${[content.heading, ...content.blocks.map(blockText), "-- ", `${content.sender}\n${footer}`].join("\n\n")}\n`;
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
  return { subject, text: textOf(shown, footer), html: htmlOf(shown, locale, footer, look) };
}
