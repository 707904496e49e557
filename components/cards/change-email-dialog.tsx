"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { changeEmailAction, sendNewEmailCodeAction } from "@/app/customer/actions";
import { CodeStep } from "@/components/codes/code-step";
import { NewAddressForm } from "@/components/codes/new-address-form";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { DialogHeader, OpenedDialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notify";

type Props = { customerId: string; present: string };

/** Changes the card's e-mail, open at first; `children` is its button. */
export function ChangeEmailDialog({ children, ...props }: Props & { children: ReactNode }) {
  return <OpenedDialog button={children}>{(close) => <Steps {...props} close={close} />}</OpenedDialog>;
}

function Steps({ customerId, present, close }: Props & { close: () => void }) {
  const t = useTranslations("card");
  const api = useTranslations("api");
  const router = useRouter();
  const notify = useNotify();
  const [email, setEmail] = useState("");
  const [newCode, setNewCode] = useState<string | null>(null);
  const first = useMailedCode({
    send: () => sendNewEmailCodeAction({ customerId, email }),
    // For the first code, the next step says that it was sent.
    onSent: () => first.sent && notify.success(api("otpSent")),
    // Both codes are checked together at the end.
    enter: async (code) => ({ ok: true as const, data: code }),
    onDone: (code) => {
      // A refusal of the codes that were sent together before is not about the next ones.
      second.change("", false);
      setNewCode(code);
    },
  });
  const change = async (oldCode?: string) => {
    const result = await changeEmailAction({ customerId, email, code: newCode ?? "", oldCode });
    if (!result.ok && "code" in result.fieldErrors) {
      // The first code was wrong, so go back to its step.
      setNewCode(null);
      first.change("", false);
      notify.error(result.message);
    }
    return result;
  };
  const done = () => {
    close();
    router.refresh();
  };
  const second = useMailedCode({
    send: () => change(),
    onSent: done,
    enter: change,
    onDone: done,
  });
  const stage = newCode !== null ? "old" : first.sent ? "new" : "address";
  const texts = {
    address: t("changeEmailText"),
    new: t("changeEmailSent", { email }),
    old: t("changeEmailOld", { email: present }),
  };
  return (
    <>
      <DialogHeader title={t("changeEmail")} text={texts[stage]} />
      {stage === "address" && (
        <NewAddressForm
          label={t("newEmail")}
          sendLabel={t("gateSend")}
          email={email}
          onChange={setEmail}
          code={first}
        />
      )}
      {stage === "new" && <CodeStep key="new" code={first} submitLabel={t("changeEmailNext")} />}
      {stage === "old" && (
        <>
          <CodeStep
            key="old"
            code={second}
            submitLabel={t("changeEmailConfirm")}
            resendLabel={t("changeEmailLost")}
          />
          <p className="text-muted-foreground text-sm">{t("changeEmailLostText")}</p>
        </>
      )}
    </>
  );
}
