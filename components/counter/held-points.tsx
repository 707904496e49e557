"use client";

import { HourglassIcon, LockOpenIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { FieldError } from "@/components/forms/field-error";
import { sendUnderKey } from "@/components/forms/idempotency-key";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogHeader } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import { api, type ViewOf } from "@/lib/api/client";
import { parseCardCode } from "@/lib/cards/model/card";
import { branchName } from "@/lib/domain/localized-names";
import { cashValue, formatQar } from "@/lib/domain/money";
import { formatUntil } from "@/lib/domain/time";
import { holdCalls } from "@/lib/holds/names";
import { Scanner } from "./scanner";
import type { MoneyForm } from "./use-money-form";

type OpenHold = ViewOf<typeof holdCalls.listHolds>["results"][number];

type HeldPointsProps = { form: MoneyForm; onReleased: () => void };

function useOpenHolds({ setting, customer: { publicId, held } }: MoneyForm) {
  const [holds, setHolds] = useState<OpenHold[] | null>(null);
  const { session } = setting.api;
  const load = useCallback(async () => {
    const answer = await api(holdCalls.listHolds, { customerId: publicId, state: "open" }, { session });
    if (answer.kind === "ok") setHolds(answer.data.results);
  }, [publicId, session]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another sum means other holds
  useEffect(() => void load(), [load, held]);
  return holds;
}

/** The open holds of a card. A hold that an API key opened can be released with the card's live code. */
export function HeldPoints(props: HeldPointsProps) {
  const { form } = props;
  const { customer } = form;
  const t = useTranslations();
  const locale = useLocale();
  const holds = useOpenHolds(form);
  const [releasing, setReleasing] = useState<OpenHold | null>(null);
  const worth = (points: number) => formatQar(cashValue(points, customer.rate), locale);
  if (holds === null) {
    return (
      <p className="px-1 text-muted-foreground text-sm">
        {t("holds.sum", { amount: worth(customer.held ?? 0) })}
      </p>
    );
  }
  return (
    <ul className="grid gap-1" aria-label={t("holds.open")}>
      {holds.map((hold) => (
        <li
          key={hold.id}
          className="flex items-center gap-2 rounded-lg border border-dashed px-3 py-1.5 text-sm short:py-0.5"
        >
          <HourglassIcon className="size-4 shrink-0 text-muted-foreground" aria-hidden />
          <span className="wrap-anywhere min-w-0 flex-1 leading-5">
            {t("holds.reserved", {
              amount: worth(hold.remaining),
              branch: branchName(hold.branch, locale),
              until: formatUntil(new Date(hold.expiresAt), new Date(), locale),
            })}{" "}
            <span className="text-muted-foreground">{t("holds.by", { name: hold.actor.sName })}</span>
          </span>
          {hold.actor.eType === "apiKey" && (
            <Button variant="outline" size="sm" disabled={form.locked} onClick={() => setReleasing(hold)}>
              <LockOpenIcon aria-hidden />
              {t("holds.release")}
            </Button>
          )}
        </li>
      ))}
      {releasing && (
        <ReleaseDialog
          {...props}
          hold={releasing}
          amount={worth(releasing.remaining)}
          onClose={() => setReleasing(null)}
        />
      )}
    </ul>
  );
}

function ReleaseDialog({
  form: { customer, liveCode, setting },
  hold,
  amount,
  onReleased,
  onClose,
}: HeldPointsProps & { hold: OpenHold; amount: string; onClose: () => void }) {
  const t = useTranslations();
  const locale = useLocale();
  const notify = useNotify();
  const [known, setKnown] = useState(liveCode);
  const [scans, setScans] = useState(true);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const release = async (proof: string) => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const { session } = setting.api;
    const answer = await sendUnderKey(`release.${hold.id}`, (idempotencyKey) =>
      api(holdCalls.releaseHold, { holdId: hold.id, proof, idempotencyKey }, { session }),
    );
    setBusy(false);
    if (answer.kind === "signedOut") return setting.onSignedOut(answer.ended);
    if (answer.kind === "refused" && answer.code === "proof_invalid") setKnown(null);
    if (answer.kind !== "ok") {
      return setProblem(answer.kind === "refused" ? answer.message : t("errors.unavailable"));
    }
    notify.success(t("holds.released", { amount }));
    onClose();
    onReleased();
  };
  const onScan = (text: string) => {
    const scanned = parseCardCode(text);
    if (!scanned?.liveCode) return setProblem(t("counter.proof.notLive"));
    if (scanned.id !== customer.publicId) return setProblem(t("counter.proof.otherCard"));
    void release(scanned.liveCode);
  };
  return (
    <Dialog open onOpenChange={(open) => !open && !busy && onClose()}>
      <DialogContent>
        <DialogHeader
          title={t("holds.releaseTitle", { amount })}
          text={t("holds.releaseText", { branch: branchName(hold.branch, locale), name: hold.actor.sName })}
        />
        {known === null ? (
          <>
            <p className="text-sm">{t("holds.scan")}</p>
            <Scanner active={scans} busy={busy} onActive={setScans} onText={onScan} instead="release" />
          </>
        ) : (
          <Button size="xl" disabled={busy} autoFocus onClick={() => release(known)}>
            {busy ? <Spinner aria-hidden /> : <LockOpenIcon aria-hidden />}
            {t("holds.release")}
          </Button>
        )}
        {problem && <FieldError>{problem}</FieldError>}
        <Button variant="ghost" size="xl" disabled={busy} onClick={onClose}>
          {t("shell.cancel")}
        </Button>
      </DialogContent>
    </Dialog>
  );
}
