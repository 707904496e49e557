"use client";

import { MailIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { CodeStep } from "@/components/codes/code-step";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { FieldError } from "@/components/forms/field";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import type { CardActions } from "./types";

/** Changes the card's e-mail; a mailed code confirms the new address. */
export function ChangeEmail({ customerId, actions }: { customerId: string; actions: CardActions }) {
  const t = useTranslations("card");
  const api = useTranslations("api");
  const router = useRouter();
  const notify = useNotify();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState("");
  const code = useMailedCode({
    send: () => actions.sendNewEmail({ customerId, email }),
    onSent: () => notify.success(api("otpSent")),
    enter: (digits) => actions.changeEmail({ customerId, email, code: digits }),
    onDone: () => {
      notify.success(t("emailChanged"));
      setOpen(false);
      router.refresh();
    },
  });
  const requestCode = (event: FormEvent) => {
    event.preventDefault();
    if (!code.busy) void code.send();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        code.reset();
      }}
    >
      <DialogTrigger asChild>
        <Button variant="outline" size="xl" className="justify-start">
          <MailIcon aria-hidden />
          {t("changeEmail")}
        </Button>
      </DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("changeEmail")}</DialogTitle>
          <DialogDescription>
            {code.sent ? t("changeEmailSent", { email }) : t("changeEmailText")}
          </DialogDescription>
        </DialogHeader>
        {code.sent ? (
          <CodeStep code={code} submitLabel={t("changeEmailConfirm")} />
        ) : (
          <form noValidate onSubmit={requestCode} className="flex flex-col gap-3">
            <Label htmlFor={id}>{t("newEmail")}</Label>
            <Input
              id={id}
              type="email"
              inputMode="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              dir="ltr"
              size="xl"
              className="rtl:text-end"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
            {code.problem && <FieldError>{code.problem}</FieldError>}
            <Button type="submit" size="xl" disabled={code.busy || email.trim() === ""}>
              {code.busy && <Spinner aria-hidden />}
              {t("gateSend")}
            </Button>
          </form>
        )}
      </DialogContent>
    </Dialog>
  );
}
