import type { Locale } from "@/lib/domain/roles";
import type { translator } from "@/lib/i18n/translate";

/** A piece of an e-mail: the same piece is written as HTML and as text, so neither lacks a fact. */
export type Block =
  | { kind: "text"; text: string }
  | { kind: "note"; text: string }
  | { kind: "code"; code: string }
  | { kind: "figure"; value: string; caption: string }
  | { kind: "button"; label: string; url: string }
  | { kind: "facts"; rows: { label: string; value: string }[] };

/** What an e-mail says, before it is written as HTML or text. `sender` heads the message: the merchant or the product. */
export type Content = { subject: string; sender: string; heading: string; blocks: Block[] };

export type Writer = { t: ReturnType<typeof translator>; locale: Locale };
export type Template<Params> = (writer: Writer, params: Params) => Content;

export const text = (value: string): Block => ({ kind: "text", text: value });
export const note = (value: string): Block => ({ kind: "note", text: value });
export const button = (label: string, url: string): Block => ({ kind: "button", label, url });
