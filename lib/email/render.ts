import type { Locale } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";
import { htmlOf } from "./html";
import { TEMPLATES, type TemplateName, type TemplateParams } from "./templates";
import type { Block, Content, Template } from "./templates/content";

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
      return `${block.label}:\n${block.url}`;
    case "facts":
      return block.rows.map((row) => `${row.label}: ${row.value}`).join("\n");
  }
}

function textOf(content: Content, footer: string): string {
  return `${[content.heading, ...content.blocks.map(blockText), "-- ", `${content.sender}\n${footer}`].join("\n\n")}\n`;
}

/** An e-mail's subject, text and HTML in one language. */
export function renderEmail<Name extends TemplateName>(
  template: Name,
  params: TemplateParams[Name],
  locale: Locale,
): RenderedEmail {
  const t = translator(locale);
  const write = TEMPLATES[template] as Template<TemplateParams[Name]>;
  const content = write({ t, locale }, params);
  const footer = t("email.common.footer");
  // A header is one line: names come from people.
  const subject = content.subject.replace(/\s+/g, " ").trim();
  return { subject, text: textOf(content, footer), html: htmlOf({ ...content, subject }, locale, footer) };
}
