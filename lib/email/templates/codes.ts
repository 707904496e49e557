import { CodePurpose } from "@/lib/db/generated/client";
import { note, type Template, text } from "@/lib/email/content";

/**
 * A six-digit code. `key` names the API key that asked for it; `minutes` is its lifetime; `points` what a code for a redemption is good for, or less; `email` the
 * masked address that is to replace the recipient's.
 */
type CodeParams = {
  merchant: string;
  code: string;
  minutes: number;
  points?: number;
  key?: string;
  email?: string;
};
type CodeTemplate = `code_${CodePurpose}`;

const codeTemplate =
  (template: CodeTemplate): Template<CodeParams> =>
  ({ t }, { merchant, code, minutes, points = 0, key, email = "" }) => {
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
  };

/** One e-mail for each purpose of a code. */
export const CODE_TEMPLATES = Object.fromEntries(
  Object.values(CodePurpose).map((purpose) => [`code_${purpose}`, codeTemplate(`code_${purpose}`)]),
) as Record<CodeTemplate, Template<CodeParams>>;
