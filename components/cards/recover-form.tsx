"use client";

import { MailCheckIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { mailCardsAction } from "@/app/customer/actions";
import { refusalText } from "@/components/codes/use-mailed-code";
import { FieldError } from "@/components/forms/field-error";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { EmailInput } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Spinner } from "@/components/ui/spinner";

/** Wherever a card is missing: mails its link. The answer is the same whether or not the address has a card. */
export function RecoverForm() {
  const t = useTranslations("card.recover");
  const errors = useTranslations("errors");
  const id = useId();
  const [state, setState] = useState<"idle" | "busy" | "sent">("idle");
  const [problem, setProblem] = useState("");
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state === "busy") return;
    const email = String(new FormData(event.currentTarget).get("email") ?? "");
    setState("busy");
    setProblem("");
    const result = await mailCardsAction({ email }).catch(() => null);
    setState(result?.ok ? "sent" : "idle");
    if (!result?.ok) setProblem(result ? refusalText(result) : errors("unavailable"));
  }
  return (
    <section className="flex w-full flex-col gap-3 rounded-xl border bg-card p-5 text-start text-card-foreground">
      {state !== "sent" && <h2 className="font-semibold">{t("title")}</h2>}
      {state === "sent" ? (
        <Alert variant="success" icon={MailCheckIcon}>
          {t("sent")}
        </Alert>
      ) : (
        <>
          <p className="text-muted-foreground text-sm">{t("text")}</p>
          <form noValidate aria-busy={state === "busy"} onSubmit={send} className="flex flex-col gap-3">
            <div className="grid gap-1.5">
              <Label htmlFor={id}>{t("email")}</Label>
              <EmailInput
                id={id}
                name="email"
                size="xl"
                aria-invalid={problem !== "" || undefined}
                aria-describedby={problem ? `${id}-problem` : undefined}
              />
              {problem && <FieldError id={`${id}-problem`}>{problem}</FieldError>}
            </div>
            <Button type="submit" size="xl" aria-disabled={state === "busy" || undefined}>
              {state === "busy" && <Spinner aria-hidden />}
              {t("send")}
            </Button>
          </form>
        </>
      )}
    </section>
  );
}
