"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { changeOwnEmailAction, sendOwnEmailCodesAction } from "@/app/_panels/actions";
import { CodeStep } from "@/components/codes/code-step";
import { NewAddressForm } from "@/components/codes/new-address-form";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { Dialog, DialogContent, DialogHeader, DialogTrigger } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notify";
import type { ActionResult } from "@/lib/domain/errors";
import { withStepUp } from "./session/step-up";

type Props = {
  /** The address that is replaced. */
  present: string;
};

/** Changes the address that the user signs in with, open at first; `children` is its button. */
export function ChangeOwnEmailDialog({ children, ...props }: Props & { children: ReactNode }) {
  const [open, setOpen] = useState(true);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{children}</DialogTrigger>
      <DialogContent>
        <Steps {...props} close={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

/** The steps of the dialog: the new address, its code, and the code of the present address where it was proved. */
function Steps({ present, close }: Props & { close: () => void }) {
  const t = useTranslations("account.email");
  const api = useTranslations("api");
  const router = useRouter();
  const notify = useNotify();
  const [email, setEmail] = useState("");
  const [both, setBoth] = useState(true);
  const [newCode, setNewCode] = useState<string | null>(null);
  const done = ({ ended }: { ended: number }) => {
    notify.success(t("changed", { ended }));
    close();
    router.refresh();
  };
  const send = () => withStepUp(() => sendOwnEmailCodesAction({ email }));
  const onSent = (sent: { both: boolean }) => {
    setBoth(sent.both);
    // For the first code, the next step says that it was sent.
    if (first.sent) notify.success(api("otpSent"));
  };
  const change = async (code: string, oldCode?: string) => {
    const result = await withStepUp(() => changeOwnEmailAction({ email, code, oldCode }));
    if (!result.ok && "code" in result.fieldErrors && oldCode !== undefined) {
      // The first code was wrong, so go back to its step.
      setNewCode(null);
      first.change("", false);
      notify.error(result.message);
    }
    return result;
  };
  const first = useMailedCode({
    send,
    onSent,
    // Both codes are checked together at the end.
    enter: async (code): Promise<ActionResult<{ ended: number | null }>> =>
      both ? { ok: true, data: { ended: null } } : change(code),
    onDone: ({ ended }) => (ended === null ? setNewCode(first.value) : done({ ended })),
  });
  const second = useMailedCode({
    send,
    onSent: (sent) => {
      onSent(sent);
      // Both codes are new.
      setNewCode(null);
      first.change("", false);
    },
    enter: (code) => change(newCode ?? "", code),
    onDone: done,
  });
  const stage = newCode !== null ? "old" : first.sent ? "new" : "address";
  const isolated = (parts: ReactNode) => <bdi className="wrap-anywhere font-medium">{parts}</bdi>;
  const texts = {
    address: t("text"),
    new: t.rich("sentNew", { address: () => isolated(email) }),
    old: t.rich("sentOld", { address: () => isolated(present) }),
  };
  return (
    <>
      <DialogHeader title={t("title")} text={texts[stage]} />
      {stage === "address" && (
        <NewAddressForm
          label={t("new")}
          sendLabel={t("send")}
          email={email}
          onChange={setEmail}
          code={first}
        />
      )}
      {stage === "new" && <CodeStep key="new" code={first} submitLabel={t(both ? "next" : "confirm")} />}
      {stage === "old" && <CodeStep key="old" code={second} submitLabel={t("confirm")} />}
    </>
  );
}
