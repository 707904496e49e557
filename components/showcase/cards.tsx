"use client";

import { useTranslations } from "next-intl";
import { LoyaltyCard } from "@/components/card/loyalty-card";
import type { CardActions, CardView, CardViewState } from "@/components/card/types";
import { cardColours } from "@/lib/domain/card-colours";
import { Section } from "./section";

const refused = async () => ({
  ok: false as const,
  code: "unavailable" as const,
  message: "",
  fieldErrors: {},
});
const ACTIONS: CardActions = {
  statement: refused,
  sendCode: refused,
  prove: refused,
  sendNewEmail: refused,
  changeEmail: refused,
  cancelEmail: refused,
  freeze: refused,
  askUnfreeze: async () => ({ ok: true, data: null }),
  erase: refused,
};
const STATES = ["active", "frozen", "blocked"] as const;

/** The card as its holder sees it, by what can be done with it. `qr` is a data URL. */
export function Cards({ qr }: { qr: string }) {
  const t = useTranslations("showcase");
  const card: CardView = {
    id: "00000000-0000-4000-8000-000000000001",
    publicId: "00000000-0000-4000-8000-000000000002",
    fullName: t("person"),
    email: "layla@customer.test",
    phone: "+97455123456",
    registeredAt: "2026-01-10T09:00:00Z",
    merchant: {
      publicId: "00000000-0000-4000-8000-000000000003",
      businessName: "Karak House",
      colours: cardColours("karak", "#0f5257", null),
      imageUrl: null,
      logoUrl: null,
      firstName: "Noora",
      lastName: "Al-Kuwari",
    },
    isHolder: false,
    pendingEmail: null,
    printedQr: qr,
  };
  const state = (status: CardViewState["status"]): CardViewState => ({
    balance: 4820,
    cashValue: "6025.00",
    status,
    qr,
    at: "2026-11-21T09:00:00Z",
    endsNext: { points: 20, day: "2026-11-27" },
  });
  return (
    <Section id="cards" title={t("cards")}>
      <div className="grid gap-6 lg:grid-cols-2">
        {STATES.map((status) => (
          <LoyaltyCard key={status} card={card} state={state(status)} stale={false} actions={ACTIONS} />
        ))}
      </div>
    </Section>
  );
}
