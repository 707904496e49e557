import { direction, type Locale } from "@/lib/domain/roles";
import type { translator } from "@/lib/i18n/translate";

/** A block of an e-mail. Each block is rendered as HTML and as text, so both have the same facts. */
export type Block =
  | { kind: "text"; text: string }
  | { kind: "note"; text: string }
  | { kind: "code"; code: string }
  | { kind: "figure"; value: string; caption: string }
  | { kind: "button"; label: string; url: string }
  /** A way that few need, less loud than a button. */
  | { kind: "link"; label: string; url: string }
  | { kind: "facts"; rows: { label: string; value: string }[] };

/** The content of an e-mail before rendering. `sender` is shown at the top: the merchant or the product. */
export type Content = { subject: string; sender: string; heading: string; blocks: Block[] };

export type TemplateContext = { t: ReturnType<typeof translator>; locale: Locale };
export type Template<Params> = (context: TemplateContext, params: Params) => Content;

export const text = (value: string): Block => ({ kind: "text", text: value });
export const note = (value: string): Block => ({ kind: "note", text: value });
export const button = (label: string, url: string): Block => ({ kind: "button", label, url });
/** Labels and values in a list; a value that is null is left out. */
export const facts = (...rows: [label: string, value: string | null][]): Block => ({
  kind: "facts",
  rows: rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }])),
});

const FONT = "font-family:'IBM Plex Sans','IBM Plex Sans Arabic','Segoe UI',Tahoma,Arial,sans-serif";
const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const BLUE = "#1d4ed8";

function blockHtml(block: Block, colour: string): string {
  switch (block.kind) {
    case "text":
      return `<p style="margin:0 0 16px;font-size:16px;line-height:1.6;color:#0f172a">${escapeHtml(block.text)}</p>`;
    case "note":
      return `<p style="margin:16px 0 0;font-size:14px;line-height:1.6;color:#475569">${escapeHtml(block.text)}</p>`;
    case "code":
      return `<p dir="ltr" style="margin:8px 0 24px;padding:20px 0 20px 10px;border-radius:12px;background:#f1f5f9;text-align:center;font-size:40px;line-height:1;font-weight:700;letter-spacing:10px;color:#0f172a">${escapeHtml(block.code)}</p>`;
    case "figure":
      return `<p style="margin:8px 0 24px;padding:20px 8px;border-radius:12px;background:#f1f5f9;text-align:center;color:#475569;font-size:14px;line-height:1.6"><bdi style="display:block;font-size:32px;line-height:1.3;font-weight:700;color:#0f172a">${escapeHtml(block.value)}</bdi>${escapeHtml(block.caption)}</p>`;
    case "button":
      return `<p style="margin:16px 0 8px"><a href="${escapeHtml(block.url)}" target="_blank" rel="noopener" style="display:inline-block;padding:14px 24px;border-radius:10px;background:${colour};color:#ffffff;font-size:16px;font-weight:600;text-align:center;text-decoration:none">${escapeHtml(block.label)}</a></p><p style="margin:0 0 16px;font-size:12px;line-height:1.5;color:#64748b;overflow-wrap:anywhere"><bdi>${escapeHtml(block.url)}</bdi></p>`;
    case "link":
      return `<p style="margin:0 0 16px;font-size:14px;line-height:1.6"><a href="${escapeHtml(block.url)}" target="_blank" rel="noopener" style="color:${colour};text-decoration:underline">${escapeHtml(block.label)}</a></p>`;
    case "facts":
      return `<dl style="margin:0 0 16px">${block.rows.map(factHtml).join("")}</dl>`;
  }
}

function factHtml({ label, value }: { label: string; value: string }): string {
  return `<dt style="margin:0;padding-top:10px;font-size:13px;color:#475569">${escapeHtml(label)}</dt><dd style="margin:0;padding:2px 0 10px;border-bottom:1px solid #e2e8f0;font-size:16px;font-weight:600;color:#0f172a;overflow-wrap:anywhere"><bdi>${escapeHtml(value)}</bdi></dd>`;
}

/** A merchant's face in an e-mail: its name, the colour of its cards, such as "#0f5257", the URLs of its note and its logo. */
export type MailLook = { sender: string; colour: string; note: string; logo: string | undefined };

/** The sender: in blue, or white on a merchant's note, which has its plain colour until it is loaded, after its logo. */
function senderHtml(sender: string, look: MailLook | undefined): string {
  if (!look) {
    return `<p style="margin:0 0 20px;color:${BLUE};font-size:14px;font-weight:600"><bdi>${escapeHtml(sender)}</bdi></p>`;
  }
  const { colour, note, logo } = look;
  // No alternative text, because the name is beside the logo.
  const picture = logo
    ? `<img src="${escapeHtml(logo)}" alt="" width="52" height="52" style="width:52px;height:52px;border-radius:12px;background:#ffffff;vertical-align:middle">&nbsp; `
    : "";
  // Mail programs know the attributes of a cell; a background in its style is removed by some.
  return `<div style="margin:-28px -24px 24px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="${colour}" background="${escapeHtml(note)}" style="padding:28px 24px;border-radius:15px 15px 0 0;background-color:${colour};background-size:cover;background-position:center;color:#ffffff;font-size:22px;line-height:1.3;font-weight:600">${picture}<bdi style="vertical-align:middle">${escapeHtml(sender)}</bdi></td></tr></table></div>`;
}

/** The e-mail as HTML with inline styles, readable from 320 px. The colour of `look` bears white text. */
export function htmlOf(content: Content, locale: Locale, footer: string, look?: MailLook): string {
  const dir = direction(locale);
  const align = dir === "rtl" ? "right" : "left";
  // Also on a block inside the body: mail programs on the web drop the attributes of the document.
  const spoken = `lang="${locale}" dir="${dir}"`;
  return `<!doctype html>
<html ${spoken}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light"><title>${escapeHtml(content.subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f8fafc">
<div ${spoken} style="text-align:${align};${FONT}">
<div role="article" style="max-width:520px;margin:0 auto;padding:28px 24px;border-radius:16px;background:#ffffff;border:1px solid #e2e8f0">
${senderHtml(content.sender, look)}
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.35;color:#0f172a">${escapeHtml(content.heading)}</h1>
${content.blocks.map((block) => blockHtml(block, look?.colour ?? BLUE)).join("\n")}
</div>
<p style="max-width:520px;margin:16px auto 0;font-size:12px;line-height:1.6;color:#64748b;text-align:center">${escapeHtml(footer)}</p>
</div>
</body>
</html>
`;
}
