"use client";

import { SmartphoneIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import type { FACTOR_ACTIONS } from "@/app/_panels/step-up-actions";
import { QrImage } from "@/components/data/qr-image";
import { Button } from "@/components/ui/button";
import { Dialog, DialogCancel, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { FactorCode } from "./session/factor-code";
import { useAction } from "./session/use-action";

type Begun = { secret: string; uri: string; demoCode: string | null };
export type Added = { recoveryCodes: string[] | null };

/** Adds an authenticator app: its QR code and secret, then its first code. */
export function TotpDialog({
  actions,
  onAdded,
}: {
  actions: Pick<typeof FACTOR_ACTIONS, "startTotp" | "confirmTotp">;
  onAdded: (added: Added) => void;
}) {
  const t = useTranslations("factors");
  const [begun, setBegun] = useState<Begun | null>(null);
  const [problem, setProblem] = useState<string>();
  const { pending, run } = useAction();
  const start = () =>
    run(
      () => actions.startTotp({}),
      (data) => {
        setProblem(undefined);
        setBegun(data);
      },
    );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code") ?? "");
    run(
      () => actions.confirmTotp({ code }),
      (added) => {
        setBegun(null);
        onAdded(added);
      },
      ({ fieldErrors, message }) => {
        setProblem(fieldErrors.code ?? message);
        return true;
      },
    );
  };
  return (
    <>
      <Button variant="outline" onClick={start} aria-disabled={pending || undefined}>
        <SmartphoneIcon aria-hidden /> {t("addApp")}
      </Button>
      <Dialog open={begun !== null} onOpenChange={(open) => !open && setBegun(null)}>
        <DialogContent>
          <DialogHeader title={t("addApp")} text={t("appText")} />
          {begun && (
            <form noValidate onSubmit={submit} aria-busy={pending} className="flex flex-col gap-4">
              <QrImage text={begun.uri} label={t("appQr")} className="mx-auto size-44 border" />
              <p className="text-center text-sm">
                {t("appSecret")}{" "}
                <bdi dir="ltr" className="wrap-anywhere font-mono font-medium">
                  {begun.secret.replace(/.{4}(?=.)/g, "$& ")}
                </bdi>
              </p>
              <FactorCode methods={["totp"]} demoCode={begun.demoCode} problem={problem} busy={pending} />
              <DialogFooter>
                <DialogCancel />
                <Button type="submit" aria-disabled={pending || undefined}>
                  {pending && <Spinner />} {t("confirm")}
                </Button>
              </DialogFooter>
            </form>
          )}
        </DialogContent>
      </Dialog>
    </>
  );
}
