"use client";

import { SnowflakeIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import type { CardActions, CardView } from "./types";

/** The holder freezes the card from its own page, after a question in place. */
export function FreezeOwn({ card, actions }: { card: CardView; actions: CardActions }) {
  const t = useTranslations("card.freeze");
  const shell = useTranslations("shell");
  const errors = useTranslations("errors");
  const notify = useNotify();
  const router = useRouter();
  const [state, setState] = useState<"idle" | "asking" | "busy">("idle");
  async function freeze() {
    setState("busy");
    const result = await actions.freeze({ customerId: card.id }).catch(() => null);
    if (result?.ok) {
      notify.success(t("done"));
      router.refresh();
    } else notify.error(result?.message ?? errors("unavailable"));
    setState("idle");
  }
  if (state === "idle") {
    return (
      <Button variant="outline" size="xl" className="justify-start" onClick={() => setState("asking")}>
        <SnowflakeIcon aria-hidden />
        {t("button")}
      </Button>
    );
  }
  return (
    <div role="alert" className="grid gap-3 rounded-lg border border-destructive/40 p-4 text-sm">
      <p className="font-semibold">{t("title")}</p>
      <p className="text-muted-foreground">{t("text", { merchant: card.merchant.businessName })}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="destructive" size="lg" autoFocus disabled={state === "busy"} onClick={freeze}>
          {state === "busy" && <Spinner aria-hidden />}
          {t("confirm")}
        </Button>
        <Button variant="ghost" size="lg" disabled={state === "busy"} onClick={() => setState("idle")}>
          {shell("cancel")}
        </Button>
      </div>
    </div>
  );
}

/** On a frozen card: asks the merchant to unfreeze it. */
export function AskUnfreeze({ card, actions }: { card: CardView; actions: CardActions }) {
  const t = useTranslations("card.unfreeze");
  const errors = useTranslations("errors");
  const notify = useNotify();
  const [state, setState] = useState<"idle" | "busy" | "asked">("idle");
  async function ask() {
    setState("busy");
    const result = await actions.askUnfreeze({ customerId: card.id }).catch(() => null);
    if (!result?.ok) notify.error(result?.message ?? errors("unavailable"));
    setState(result?.ok ? "asked" : "idle");
  }
  return (
    <div className="mx-auto flex w-full max-w-140 flex-wrap items-center justify-between gap-3 text-sm">
      <p className="text-muted-foreground">{state === "asked" ? t("asked") : t("text")}</p>
      {state !== "asked" && (
        <Button variant="outline" disabled={state === "busy"} onClick={ask}>
          {state === "busy" && <Spinner aria-hidden />}
          {t("ask")}
        </Button>
      )}
    </div>
  );
}
