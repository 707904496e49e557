import { type Content, note, type Template, type TemplateContext, text } from "@/lib/email/content";

/**
 * A six-digit code. `key` names the API key that asked for it; `minutes` is its lifetime; `points` what a code for a redemption is good for, or less; `email` the
 * masked address that is to replace the recipient's.
 */
export type CodeParams = {
  merchant: string;
  code: string;
  minutes: number;
  points?: number;
  key?: string;
  email?: string;
};
type CodeTemplate =
  | "code_register"
  | "code_card_holder"
  | "code_redeem"
  | "code_unfreeze"
  | "code_erase"
  | "code_change_email"
  | "code_leave_email"
  | "code_staff_email"
  | "code_staff_leave";

function codeContent({ t }: TemplateContext, template: CodeTemplate, params: CodeParams): Content {
  const { merchant, code, minutes, points = 0, key, email = "" } = params;
  const byKey = template === "code_redeem" && key !== undefined;
  return {
    // Without the code: subjects stand on locked screens and in the logs of mail servers.
    subject: t(`email.${template}.subject`, { merchant }),
    sender: merchant,
    heading: t(`email.${template}.heading`),
    blocks: [
      text(
        byKey
          ? t("email.code_redeem.bodyOfKey", { merchant, points, key })
          : t(`email.${template}.body`, { merchant, points, email }),
      ),
      { kind: "code", code },
      text(t("email.common.codeLifetime", { minutes })),
      note(t(byKey ? "email.code_redeem.noteOfKey" : `email.${template}.note`)),
    ],
  };
}

const template =
  (name: CodeTemplate): Template<CodeParams> =>
  (context, params) =>
    codeContent(context, name, params);

export const CODE_TEMPLATES = {
  code_register: template("code_register"),
  code_card_holder: template("code_card_holder"),
  code_redeem: template("code_redeem"),
  code_unfreeze: template("code_unfreeze"),
  code_erase: template("code_erase"),
  code_change_email: template("code_change_email"),
  code_leave_email: template("code_leave_email"),
  code_staff_email: template("code_staff_email"),
  code_staff_leave: template("code_staff_leave"),
};
