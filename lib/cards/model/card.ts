import { isId } from "@/lib/domain/is-id";
import type { BranchNames, MerchantNames } from "@/lib/domain/localized-names";
import type { HoldState } from "@/lib/holds/model";
import type { LoggedMovement, Page, Pockets, ReservedPoints } from "@/lib/ledger/model/movements";
import type { SignupMerchant } from "@/lib/merchants/model/merchant";
import type { PendingEmail } from "./card-holder";

/** A card, as anyone with its private id sees it. */
export type CardProfile = {
  id: string;
  publicId: string;
  /** The Customer ID that people read. A card of the version before may be without one for a moment. */
  code: string | null;
  fullName: string;
  /** Masked, as is the phone, unless the caller is the authenticated holder. */
  email: string | null;
  phone: string | null;
  status: "active" | "blocked" | "frozen";
  /** Points, held ones included. */
  balance: number;
  /** How much of the balance open holds reserve, and each of them. */
  held: number;
  holds: ReservedPoints[];
  /** In QAR, such as "350.00". */
  cashValue: string;
  pockets: Pockets;
  locale: string;
  registeredAt: Date;
  merchant: SignupMerchant & { firstName: string; lastName: string };
  /** A change of the e-mail that waits; for the authenticated holder only. */
  pendingEmail: PendingEmail | null;
  isHolder: boolean;
};

export type MailedCard = MerchantNames & {
  id: string;
  merchantId: string;
  email: string;
  fullName: string;
  locale: string;
};

/** A redemption that the card's live code confirmed: `points` is unsigned, `freezeUrl` freezes the card. */
export type JustPaid = { points: number; at: Date; freezeUrl: string };

export type CardState = Pick<
  CardProfile,
  "balance" | "held" | "holds" | "cashValue" | "pockets" | "status"
> & {
  suspended: boolean;
  /** A data URL; null unless the caller is the authenticated holder. */
  liveQr: string | null;
  /** The redemption by live code of the last minutes, for the authenticated holder only. */
  justPaid: JustPaid | null;
  at: Date;
};

/** How long a live code is shown before the next one, in seconds. */
export const LIVE_CODE_SECONDS = 30;

export type StatementLine = Pick<
  LoggedMovement,
  "id" | "receiptNumber" | "type" | "points" | "bonusPoints" | "balanceAfter" | "rate" | "tender" | "saleRef"
> & { branch: string | null; createdAt: Date };

/** A hold in the holder's statement: what it reserved, and of it what was taken. `rate` is dirhams per point. */
export type StatementHold = {
  id: string;
  state: HoldState;
  points: number;
  captured: number;
  branch: BranchNames;
  createdAt: Date;
  until: Date;
  rate: number;
};

/** A page of the holder's statement; the first has the latest holds. */
export type CardStatement = Page<StatementLine> & { holds: StatementHold[] };

export type ScannedCode = { id: string; source: "apple" | "google" | null; liveCode: string | null };

const SOURCES = ["apple", "google"] as const;

function cardIdOf(url: URL): string | null {
  const [, first, second, third] = url.pathname.split("/");
  if (first === "topup") return second || url.searchParams.get("customerId");
  return first === "customer" && second === "loyalty-card" ? (third ?? null) : null;
}

/** Parses a card's QR: a `/topup/…` link of any host (with `?src=` and `?code=`), or an id alone; null for any other text. */
export function parseCardCode(text: string): ScannedCode | null {
  const value: string = text.trim();
  const bare: unknown = value;
  if (isId(bare)) return { id: bare.toLowerCase(), source: null, liveCode: null };
  // The text may be a path alone, since the host does not matter.
  const link = value.startsWith("/") ? `http://site.invalid${value}` : value;
  if (!/^https?:/i.test(link) || !URL.canParse(link)) return null;
  const url = new URL(link);
  const id = cardIdOf(url);
  if (!isId(id)) return null;
  const source = SOURCES.find((known) => known === url.searchParams.get("src")) ?? null;
  return { id: id.toLowerCase(), source, liveCode: url.searchParams.get("code")?.slice(0, 200) || null };
}

/** Whether the browser is Safari on an iPhone, iPad or Mac, the only one that can add a pass to Apple Wallet. */
export function isAppleSafari(userAgent: string): boolean {
  const apple = /iPhone|iPad|iPod|Macintosh/.test(userAgent);
  const others = /Chrome|Chromium|CriOS|FxiOS|EdgiOS|Edg\/|OPR|OPiOS|DuckDuckGo|Instagram|FBAN|FBAV/;
  return apple && /Safari\//.test(userAgent) && /Version\//.test(userAgent) && !others.test(userAgent);
}
