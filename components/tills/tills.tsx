"use client";

import { ArchiveIcon, KeyRoundIcon, LockOpenIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useEffect } from "react";
import { createTillAction, retireTillAction, updateTillAction } from "@/app/(merchant)/merchant/actions";
import { ActionMenu } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import { AddDialog, useShownOnce } from "@/components/forms/add-dialog";
import { type Option, SelectField } from "@/components/forms/choice-fields";
import { editAction } from "@/components/forms/form-dialog";
import { TextField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogHeader } from "@/components/ui/dialog";
import { useLoaded } from "@/components/ui/use-loaded";
import { TILL_DOOR } from "@/lib/domain/paths";
import { formatDateTime } from "@/lib/domain/time";
import { createTillSchema, type Till, type TillWithCode, updateTillSchema } from "@/lib/tills/model/till";

const loadQr = () => import("@/components/data/qr-image");

/** The pairing code of a till, once: it is nowhere to be read again. */
function PairingCode({ till, close }: { till: TillWithCode; close: () => void }) {
  const t = useTranslations("tills");
  const locale = useLocale();
  const { pairingCode, pairingExpiresAt, name } = till;
  const { part: qr, want } = useLoaded(loadQr);
  useEffect(want, [want]);
  const page = `${window.location.origin}${TILL_DOOR}`;
  // A fragment is not sent to any server, and so is in no log.
  const address = `${page}#${pairingCode}`;
  return (
    <Dialog open onOpenChange={(open) => !open && close()}>
      <DialogContent>
        <DialogHeader
          title={t("codeTitle", { name })}
          text={t("codeText", { time: formatDateTime(new Date(pairingExpiresAt), locale) })}
        />
        <output
          className="block py-2 text-center landscape-phone:py-0 font-mono font-semibold text-4xl tracking-widest"
          dir="ltr"
        >
          {`${pairingCode.slice(0, 4)} ${pairingCode.slice(4)}`}
        </output>
        <div className="flex flex-col items-center gap-3 text-center landscape-phone:flex-row landscape-phone:gap-5">
          {qr && <qr.QrImage text={address} label={t("codeQr")} className="size-40 shrink-0" />}
          <div className="flex min-w-0 flex-1 flex-col items-center gap-3">
            <p className="text-muted-foreground text-sm">{t("codeWhere")}</p>
            <bdi dir="ltr" className="break-all font-medium text-sm">
              {page}
            </bdi>
            <Button asChild variant="outline">
              <a href={address}>{t("codeHere")}</a>
            </Button>
          </div>
        </div>
      </DialogContent>
    </Dialog>
  );
}

/** Adds a till and shows its pairing code. */
export function AddTill({ branches }: { branches: readonly Option[] }) {
  const t = useTranslations("tills");
  return (
    <AddDialog
      label={t("add")}
      submit={t("save")}
      description={t("addText")}
      schema={createTillSchema}
      defaultValues={{ name: "", branchId: branches.length === 1 ? (branches[0]?.value ?? "") : "" }}
      action={createTillAction}
      shown={(till: TillWithCode, close) => <PairingCode till={till} close={close} />}
    >
      <TillFields branches={branches} />
    </AddDialog>
  );
}

function TillFields({ branches }: { branches: readonly Option[] }) {
  const t = useTranslations("tills");
  return (
    <>
      <TextField name="name" label={t("name")} autoComplete="off" maxLength={80} />
      <SelectField name="branchId" label={t("branch")} options={branches} placeholder={t("chooseBranch")} />
    </>
  );
}

/** The menu of a till. */
export function TillMenu({ till, branches }: { till: Till; branches: readonly Option[] }) {
  const t = useTranslations("tills");
  const { made, show, seen } = useShownOnce<TillWithCode>();
  const { id, name } = till;
  const edit = editAction(t("edit"), t("save"), {
    title: t("editOne", { name }),
    description: t("editText"),
    schema: updateTillSchema.required({ name: true, branchId: true }),
    defaultValues: { id, name, branchId: till.branch.id },
    action: updateTillAction,
    children: <TillFields branches={branches} />,
  });
  const newCode = askedAction({
    label: t("newCode"),
    icon: KeyRoundIcon,
    title: t("newCodeOne", { name }),
    description: t("newCodeText"),
    run: () => updateTillAction({ id, newCode: true }),
    onDone: (answer) => {
      if ("pairingCode" in answer) show(answer);
    },
  });
  const openPin = askedAction({
    label: t("openPin"),
    icon: LockOpenIcon,
    title: t("openPinOne", { name }),
    description: t("openPinText"),
    run: () => updateTillAction({ id, pinLocked: false }),
  });
  const end = askedAction({
    label: t("retire"),
    icon: ArchiveIcon,
    variant: "destructive",
    title: t("retireOne", { name }),
    description: t("retireText"),
    run: () => retireTillAction({ id }),
  });
  const actions = [...(till.pinLockedAt ? [openPin] : []), edit, newCode, end];
  return (
    <>
      <ActionMenu label={t("actionsOf", { name })} actions={actions} />
      {made && <PairingCode till={made} close={seen} />}
    </>
  );
}
