"use client";

import { SnowflakeIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { askUnfreezeAction, freezeOwnCardAction } from "@/app/customer/actions";
import { ConfirmButton } from "@/components/data/confirm-button";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import type { CardView } from "./types";

/** The holder freezes the card from its own page, after a question. */
export function FreezeOwn({ card }: { card: CardView }) {
  const t = useTranslations("card.freeze");
  const router = useRouter();
  return (
    <ConfirmButton
      variant="outline"
      className="tile"
      title={t("title")}
      description={t("text", { merchant: card.merchant.businessName })}
      confirmLabel={t("confirm")}
      run={() => freezeOwnCardAction({ customerId: card.id })}
      onDone={() => router.refresh()}
    >
      <SnowflakeIcon aria-hidden />
      {t("button")}
    </ConfirmButton>
  );
}

/** On a frozen card: asks the merchant to unfreeze it. */
export function AskUnfreeze({ card }: { card: CardView }) {
  const t = useTranslations("card.unfreeze");
  const errors = useTranslations("errors");
  const notify = useNotify();
  const [state, setState] = useState<"idle" | "busy" | "asked">("idle");
  async function ask() {
    if (state === "busy") return;
    setState("busy");
    const result = await askUnfreezeAction({ customerId: card.id }).catch(() => null);
    if (!result?.ok) notify.error(result?.message ?? errors("unavailable"));
    setState(result?.ok ? "asked" : "idle");
  }
  if (state === "asked") return <p role="status">{t("asked")}</p>;
  return (
    <button
      type="button"
      aria-disabled={state === "busy" || undefined}
      onClick={ask}
      className="flex min-h-12 items-center gap-2 rounded-xl bg-white px-3 py-1.5 font-semibold text-slate-900"
    >
      {state === "busy" && <Spinner aria-hidden />}
      {t("ask")}
    </button>
  );
}
