import { systemClock } from "@/lib/db/context";
import { authorize, mustStepUp, type UserActor } from "@/lib/domain/actor";
import { isStaffPermission } from "@/lib/domain/policy";
import type { Operation } from "@/lib/operations/operation";

/**
 * Whether an operation lets this actor in, as far as that does not depend on its input. A remembered session never causes
 * a refusal, because the user may have gained rights a moment ago: where this answers false, adapters read it again.
 */
export function isAllowed(
  actor: UserActor | null,
  { permission, stepUp }: Pick<Operation<never, unknown>, "permission" | "stepUp">,
): boolean {
  if (!isStaffPermission(permission)) return true;
  try {
    if (actor) authorize(actor, permission);
    return actor !== null && !(stepUp && mustStepUp(actor, systemClock()));
  } catch {
    return false;
  }
}
