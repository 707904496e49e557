import type { UserActor } from "@/lib/domain/actor";
import type { LimitName } from "./limits";

/** Whether this limit ignores the session. Any visitor can get a session by signing up a merchant. */
const countsByAddress = (wanted: LimitName | undefined): boolean => wanted === "exists" || wanted === "heavy";

/** The limit of a request and its key: the session, a known device, or a stranger's address. */
export function limitOf(
  wanted: LimitName | undefined,
  actor: UserActor | null,
  stranger: string,
): [LimitName, string] {
  if (!actor || countsByAddress(wanted)) return [wanted ?? "public", stranger];
  return [wanted ?? "session", actor.sessionId];
}
