import { readAccount } from "@/lib/accounts/credentials";
import type { PublicContext } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { deviceCookie, type SetCookie } from "@/lib/secrets/cookies";
import { deviceKnownTo, type MarkOwner } from "@/lib/secrets/known-device";

// Each mark makes a browser known for 400 days: whoever signs in without cookies does not collect them.
const NEW_MARKS: GuardLimit = { name: "device-marks", points: 5, seconds: 24 * 60 * 60 };

type Caller = Pick<PublicContext, "db" | "device">;

type Marked = { userId: string } | { email: string };

/** Whether the device is known to this owner, or may become known today: five new ones a day. */
async function mayMark({ db, device }: Caller, owner: MarkOwner): Promise<boolean> {
  if (deviceKnownTo(device, owner)) return true;
  try {
    await consume(db, NEW_MARKS, "email" in owner ? owner.email : owner.userId);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === "rate_limited") return false;
    throw error;
  }
}

/** The cookie that makes the browser of who just proved themselves a known device; null after five new devices in a day. */
export async function deviceMark(caller: Caller, of: Marked): Promise<SetCookie | null> {
  const account = "userId" in of ? await readAccount(caller.db, of) : null;
  const owner = "email" in of ? of : account && { ...of, credentials: account.credentials };
  return owner && (await mayMark(caller, owner)) ? deviceCookie(caller.device, owner) : null;
}
