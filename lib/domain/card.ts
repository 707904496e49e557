import { isId } from "./ids";
import type { MovementType, Pockets } from "./movements";

type CardStatus = "active" | "blocked" | "frozen";

/** A card as its private id opens it. */
export type Card = {
  id: string;
  publicId: string;
  fullName: string;
  email: string | null;
  phone: string | null;
  status: CardStatus;
  /** Points, and what they are worth in QAR ("350.00"). */
  balance: number;
  cashValue: string;
  pockets: Pockets;
  /** The language in which the holder is written to. */
  locale: string;
  registeredAt: Date;
  merchant: {
    id: string;
    businessName: string;
    imageKey: string | null;
    firstName: string;
    lastName: string;
  };
  /** Whether the caller proved to be the card holder. */
  isHolder: boolean;
};

/** What changes on a card: its balance and, for its holder, the QR with the live code. */
export type CardState = {
  balance: number;
  cashValue: string;
  pockets: Pockets;
  status: CardStatus;
  /** A data URL; null for whoever has not proved to be the holder. */
  liveQr: string | null;
  at: Date;
};

/** A line of the holder's statement; points are signed, the rate is what a point was worth then, in dirhams. */
export type StatementLine = {
  id: string;
  type: MovementType;
  points: number;
  balanceAfter: number;
  rate: number;
  /** Null where nobody stood at a branch. */
  branch: string | null;
  createdAt: Date;
};

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

/** The colours of a card: a deep ground in three steps and a light accent, all carrying white text at 4.5:1 or more. */
export type CardColours = { from: string; via: string; to: string; accent: string };

const PALETTE: readonly CardColours[] = [
  { from: "#0b3b3f", via: "#0f5257", to: "#082a30", accent: "#7fe3d4" },
  { from: "#3b1247", via: "#5a1d5e", to: "#2a0c38", accent: "#f3b6e4" },
  { from: "#10284f", via: "#1d4480", to: "#0a1b38", accent: "#9cc7ff" },
  { from: "#4a1420", via: "#7a1f33", to: "#330c17", accent: "#ffbfa8" },
  { from: "#1f2d12", via: "#3d5321", to: "#152009", accent: "#d3e89a" },
  { from: "#3d2208", via: "#6b3d10", to: "#2a1705", accent: "#ffd591" },
  { from: "#1d1b4b", via: "#36318a", to: "#131133", accent: "#bcb8ff" },
  { from: "#1b2430", via: "#344559", to: "#111820", accent: "#bcd4ea" },
];

/** A merchant's own colours, the same at every look: of its id, since its picture may be missing. */
export function cardColours(merchantId: string): CardColours {
  let sum = 0;
  for (const letter of merchantId) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return PALETTE[sum % PALETTE.length] as CardColours;
}

/** Whether a browser is Safari on an iPhone, iPad or Mac, the only one that takes a pass for Apple Wallet. */
export function isAppleSafari(userAgent: string): boolean {
  const apple = /iPhone|iPad|iPod|Macintosh/.test(userAgent);
  const others = /Chrome|Chromium|CriOS|FxiOS|EdgiOS|Edg\/|OPR|OPiOS|DuckDuckGo|Instagram|FBAN|FBAV/;
  return apple && /Safari\//.test(userAgent) && /Version\//.test(userAgent) && !others.test(userAgent);
}
