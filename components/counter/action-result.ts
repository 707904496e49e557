import type { ActionResult } from "@/lib/domain/errors";
import type { Answer } from "./types";

/**
 * Answers a counter answer in the form that forms and dialogs take. `lostMessage` is the message if no
 * response came. Calls `onSignedOut` if the session is missing.
 */
export function toActionResult<T>(
  answer: Answer<T>,
  lostMessage: string,
  onSignedOut: (ended: boolean) => void,
): ActionResult<T> {
  if (answer.kind === "ok") return { ok: true, data: answer.data };
  if (answer.kind === "signedOut") onSignedOut(answer.ended);
  const message = answer.kind === "refused" ? answer.message : lostMessage;
  return { ok: false, code: "unavailable", message, fieldErrors: {} };
}
