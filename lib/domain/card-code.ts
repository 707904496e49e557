import { isId } from "./ids";

/** What a scanned code says: whose card, from which wallet it came, and the live code when it carries one. */
export type CardCode = { id: string; source: "apple" | "google" | null; liveCode: string | null };

const SOURCES = ["apple", "google"] as const;

function inPath(url: URL): string | null {
  const [, first, second, third] = url.pathname.split("/");
  if (first === "topup") return second || url.searchParams.get("customerId");
  return first === "customer" && second === "loyalty-card" ? (third ?? null) : null;
}

/**
 * Reads what a card's QR holds: a `/topup/…` link of any host (with `?src=` and `?code=`), or a bare id.
 * Answers null for any other code.
 */
export function readCardCode(text: string): CardCode | null {
  const value: string = text.trim();
  const bare: unknown = value;
  if (isId(bare)) return { id: bare.toLowerCase(), source: null, liveCode: null };
  // A code may hold the path alone: the host says nothing about the card.
  const link = value.startsWith("/") ? `http://site.invalid${value}` : value;
  if (!/^https?:/i.test(link) || !URL.canParse(link)) return null;
  const url = new URL(link);
  const id = inPath(url);
  if (!isId(id)) return null;
  const source = SOURCES.find((known) => known === url.searchParams.get("src")) ?? null;
  return { id: id.toLowerCase(), source, liveCode: url.searchParams.get("code")?.slice(0, 200) || null };
}
