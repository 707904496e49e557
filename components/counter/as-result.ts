import type { ActionResult } from "@/lib/domain/errors";
import type { Answer } from "./types";

/** The counter's answer as forms and dialogs take it: `lost` when none came; who is signed out is handed on. */
export function asResult<T>(
  answer: Answer<T>,
  lost: string,
  onSignedOut: (ended: boolean) => void,
): ActionResult<T> {
  if (answer.kind === "ok") return { ok: true, data: answer.data };
  if (answer.kind === "signedOut") onSignedOut(answer.ended);
  const message = answer.kind === "refused" ? answer.message : lost;
  return { ok: false, code: "unavailable", message, fieldErrors: {} };
}
