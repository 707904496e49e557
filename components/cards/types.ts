import type { CardProfile } from "@/lib/cards/model/card";
import type { BranchNames } from "@/lib/domain/localized-names";

export type CardView = Pick<
  CardProfile,
  "id" | "publicId" | "code" | "fullName" | "email" | "phone" | "isHolder" | "registeredAt" | "pendingEmail"
> & {
  /** Its id is the one in its sign-up link. */
  merchant: Pick<
    CardProfile["merchant"],
    "publicId" | "businessName" | "colours" | "firstName" | "lastName"
  > & { imageUrl: string | null; logoUrl: string | null };
  /** Data URL of the printed QR code, which identifies the card but proves nothing. */
  printedQr: string;
};

/** Points that an open hold reserves at a branch until then (ISO 8601). */
type CardHold = { points: number; branch: BranchNames; until: string };

/** The parts of a card that change. `at` is the time of the reading (ISO 8601). */
export type CardViewState = {
  balance: number;
  /** The bonus points that expire first, and the last day (YYYY-MM-DD) on which they are valid. */
  endsNext?: { points: number; day: string } | null;
  cashValue: string;
  /** How much of the balance open holds reserve. Absent in a state that an earlier version kept, as are `holds`. */
  held?: number;
  /** Each of them, for the holder; the first to end is first. */
  holds?: readonly CardHold[];
  /** The payment that the live code made a moment ago. Only the holder gets it. */
  justPaid?: { points: number; at: string; freezeUrl: string } | null;
  status: CardProfile["status"];
  /** The merchant is suspended: nothing can be posted to the card for now. */
  suspended?: boolean;
  /** The QR with the live code, a data URL, for the holder only; without it the card shows the printed one. */
  qr: string | null;
  at: string;
};

export type WalletOffer = {
  apple: boolean;
  /** Whether the pass is signed by a development certificate, which an iPhone refuses. */
  appleDevelopment: boolean;
  google: boolean;
};
