import type { UserActor } from "@/lib/domain/actor";
import { countRequest, countVisitor, type LimitName, type Visitor } from "./limits";

/** Whether this limit ignores the session. Any visitor can get a session by signing up a merchant. */
const countsByAddress = (wanted: LimitName | undefined): boolean => wanted === "exists" || wanted === "heavy";

/** Counts a call of the API: for the session, or as countVisitor does. Throws rate_limited. */
export function countCall(
  wanted: LimitName | undefined,
  actor: UserActor | null,
  visitor: Visitor,
): Promise<Record<string, string>> {
  if (!actor || countsByAddress(wanted)) return countVisitor(wanted ?? "public", visitor);
  return countRequest(wanted ?? "session", actor.sessionId);
}
