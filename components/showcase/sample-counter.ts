import { useTranslations } from "next-intl";
import type {
  Answer,
  CounterCustomer,
  CounterMovement,
  CounterPosting,
  CounterSetting,
} from "@/components/counter/types";
import { cashValue } from "@/lib/domain/money";

const RATE = 125;
const UNDO_MS = 15 * 60_000;

/** A customer of a shop that exists nowhere. */
export const CUSTOMER: CounterCustomer = {
  publicId: "00000000-0000-4000-8000-000000000002",
  fullName: "Layla Haddad",
  email: "layla@customer.test",
  phone: "+97455123456",
  balance: 4820,
  cashValue: "6025.00",
  rate: RATE,
  limits: { minTopUp: 1, maxTopUp: 5000, maxBalance: 20_000, unconfirmed: 500 },
  status: "active",
  merchant: {
    id: "00000000-0000-4000-8000-000000000003",
    businessName: "Karak House",
    businessNameAr: null,
    branches: [{ id: "00000000-0000-4000-8000-000000000004", name: "The Pearl", city: "Doha" }],
    tenders: ["cash", "card"],
    suspended: false,
    askSaleRef: false,
  },
};

const movementOf = (posting: CounterPosting, points: number, branchName: string): CounterMovement => ({
  id: "00000000-0000-4000-8000-000000000005",
  type: points > 0 ? "TOP_UP" : "REDEEM",
  points,
  pointsValue: cashValue(Math.abs(points), RATE),
  paid: points,
  bonus: 0,
  tender: posting.tender ?? null,
  saleRef: null,
  balance: CUSTOMER.balance + points,
  cashValue: cashValue(CUSTOMER.balance + points, RATE),
  createdAt: new Date().toISOString(),
  customerName: CUSTOMER.fullName,
  branchName,
  undoUntil: new Date(Date.now() + UNDO_MS).toISOString(),
});

/** A counter whose postings reach no server. */
export function useSampleSetting(): CounterSetting {
  const t = useTranslations("showcase");
  const ok = async <T>(data: T): Promise<Answer<T>> => ({ kind: "ok", data });
  let last: CounterMovement | null = null;
  return {
    api: {
      session: "showcase",
      user: "showcase",
      search: () => ok([]),
      view: () => ok(CUSTOMER),
      recent: () => ok([]),
      findRedemptions: () => ok([]),
    },
    transport: {
      post: (mode, posting) => {
        last = movementOf(posting, mode === "topup" ? posting.points : -posting.points, t("branchName"));
        return ok(last);
      },
      undo: async (): Promise<Answer<CounterMovement>> =>
        last
          ? { kind: "ok", data: { ...last, points: -last.points } }
          : { kind: "refused", code: "not_found", message: t("alerts.destructive.text") },
      sendCode: () => ok({ sentTo: "la•••@customer.test" }),
    },
    merchants: null,
    homeBranchId: null,
    needsReason: false,
    onSignedOut: () => undefined,
  };
}
