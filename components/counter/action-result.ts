import type { ActionResult } from "@/lib/domain/errors";
import type { Answer } from "./types";

/**
 * A counter answer as the result that forms and dialogs take. `lostMessage` is the message when no response came;
 * `onSignedOut` is called when there is no session.
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
