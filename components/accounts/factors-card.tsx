"use client";

import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import {
  DownloadIcon,
  FingerprintIcon,
  KeyRoundIcon,
  PencilIcon,
  SmartphoneIcon,
  Trash2Icon,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import {
  addPasskeyAction,
  confirmTotpAction,
  removeFactorAction,
  renameFactorAction,
  renewRecoveryCodesAction,
  startPasskeyAction,
  startTotpAction,
} from "@/app/_panels/actions";
import { ConfirmButton } from "@/components/data/confirm-button";
import { CopyButton } from "@/components/data/copy-button";
import { QrImage } from "@/components/data/qr-image";
import { TitledCard } from "@/components/data/titled-card";
import { FormDialog } from "@/components/forms/form-dialog";
import { TextField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { Dialog, DialogCancel, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import { type AddPasskey, renameFactorSchema } from "@/lib/accounts/model/second-factor";
import type { Factor, Factors } from "@/lib/accounts/names";
import { formatDate } from "@/lib/domain/time";
import { FactorCode } from "./session/factor-code";
import { useAction } from "./session/use-action";

const ICONS = { passkey: FingerprintIcon, totp: SmartphoneIcon } as const;

type Added = { recoveryCodes: string[] | null };

function TotpDialog({ onAdded }: { onAdded: (added: Added) => void }) {
  const t = useTranslations("factors");
  const [begun, setBegun] = useState<{ secret: string; uri: string; demoCode: string | null } | null>(null);
  const [problem, setProblem] = useState<string>();
  const { pending, run } = useAction();
  const start = () =>
    run(
      () => startTotpAction({}),
      (data) => {
        setProblem(undefined);
        setBegun(data);
      },
    );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code") ?? "");
    run(
      () => confirmTotpAction({ code }),
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
              <FactorCode request={{ ...begun, methods: ["totp"] }} problem={problem} busy={pending} />
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

export function FactorsCard({ factors, recoveryCodes, required }: Factors) {
  const t = useTranslations("factors");
  const notify = useNotify();
  const router = useRouter();
  const [codes, setCodes] = useState<string[] | null>(null);
  const added = ({ recoveryCodes: shown }: Added) => {
    notify.success(t("added"));
    if (shown) setCodes(shown);
    else router.refresh();
  };
  const { addPasskey, pending } = useAddPasskey(added);
  const hasApp = factors.some(({ kind }) => kind === "totp");
  return (
    <TitledCard
      id="second-factors"
      title={t("title")}
      text={t(required ? "descriptionRequired" : "description")}
      contentClass="flex flex-col gap-4"
    >
      {factors.length > 0 && (
        <ul className="divide-y">
          {factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={addPasskey} aria-disabled={pending || undefined}>
          <FingerprintIcon aria-hidden /> {t("addPasskey")}
        </Button>
        {!hasApp && <TotpDialog onAdded={added} />}
      </div>
      {factors.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-2 border-t pt-4">
          <p className="flex items-center gap-2 text-sm">
            <KeyRoundIcon className="size-4 text-muted-foreground" aria-hidden />
            {t("codesLeft", { count: recoveryCodes })}
          </p>
          <ConfirmButton
            size="sm"
            label={t("renew")}
            title={t("renewTitle")}
            description={t("renewText")}
            confirmVariant="default"
            run={() => renewRecoveryCodesAction({})}
            onDone={(data) => setCodes(data.recoveryCodes)}
          />
        </div>
      )}
      <RecoveryCodes
        codes={codes}
        onClose={() => {
          setCodes(null);
          router.refresh();
        }}
      />
    </TitledCard>
  );
}

function useAddPasskey(added: (data: Added) => void) {
  const t = useTranslations("factors");
  const notify = useNotify();
  const { pending, run } = useAction();
  const addPasskey = () =>
    run(
      () => startPasskeyAction({}),
      async ({ options }) => {
        const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
        const made = await import("@simplewebauthn/browser")
          .then(({ startRegistration }) => startRegistration({ optionsJSON }))
          .catch(() => null);
        if (!made) return notify.error(t("passkeyCancelled"));
        const attestation = made as unknown as AddPasskey["attestation"];
        run(() => addPasskeyAction({ attestation }), added);
      },
    );
  return { addPasskey, pending };
}

function FactorRow({ factor }: { factor: Factor }) {
  const t = useTranslations("factors");
  const locale = useLocale();
  const Icon = ICONS[factor.kind];
  const { id, name } = factor;
  const date = (when: Date) => formatDate(when, locale);
  return (
    <li className="flex flex-wrap items-center gap-3 py-3 first:pt-0 last:pb-0">
      <Icon className="size-5 shrink-0 text-muted-foreground" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-medium text-sm">
          <bdi>{name}</bdi>
        </p>
        <p className="text-muted-foreground text-xs">
          {t(`kinds.${factor.kind}`)} ·{" "}
          {factor.lastUsedAt
            ? t("lastUsed", { date: date(factor.lastUsedAt) })
            : t("addedOn", { date: date(factor.createdAt) })}
        </p>
      </div>
      <div className="flex gap-2">
        <FormDialog
          trigger={{ size: "icon", icon: PencilIcon, "aria-label": t("renameOne", { name }) }}
          title={t("renameOne", { name })}
          description={t("renameText")}
          schema={renameFactorSchema}
          action={renameFactorAction}
          defaultValues={{ id, name }}
          submit={{ children: t("save") }}
        >
          <TextField name="name" label={t("name")} autoComplete="off" />
        </FormDialog>
        <ConfirmButton
          size="icon"
          aria-label={t("removeOne", { name })}
          icon={Trash2Icon}
          confirmLabel={t("remove")}
          title={t("removeOne", { name })}
          description={t("removeText")}
          run={() => removeFactorAction({ id })}
        />
      </div>
    </li>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) {
  const t = useTranslations("factors");
  const text = (codes ?? []).join("\n");
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${t("codesTitle")}\n\n${text}\n`)}`;
  return (
    <Dialog open={codes !== null} onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title={t("codesTitle")} text={t("codesText")} />
        <ol
          dir="ltr"
          className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-md bg-muted p-4 font-mono text-sm sm:grid-cols-2"
        >
          {codes?.map((code) => (
            <li key={code} data-testid="recovery-code">
              {code}
            </li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-2">
          <Button asChild variant="outline">
            <a href={file} download="recovery-codes.txt">
              <DownloadIcon aria-hidden /> {t("download")}
            </a>
          </Button>
          <CopyButton text={text} label={t("copy")} />
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{t("codesDone")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
