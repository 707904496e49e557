import { TOKEN_KEY } from "@/components/accounts/session/stored-session";
import type { accountCalls } from "@/lib/accounts/names";
import { type Answer, api } from "@/lib/api/client";
import { sendPlain } from "@/lib/api/connection";
import type { tillCalls } from "@/lib/tills/names";
import { type Device, keepDevice, newKeys, publicJwk } from "../device/device";
import { markRetired, writeMark } from "../device/mark";
import {
  type Cashier,
  type OwnTill,
  oneSession,
  TILL_KNOWN,
  toOwnTill,
  writeCashier,
} from "../device/own-till";
import { touchTill } from "./watch-idle";

// The first call loads the names: pages of employees without a till load none of them.
const ofTills = async <Name extends keyof typeof tillCalls>(name: Name) =>
  (await import("@/lib/tills/names")).tillCalls[name];
const ofAccounts = async <Name extends keyof typeof accountCalls>(name: Name) =>
  (await import("@/lib/accounts/names")).accountCalls[name];

/** How a call of this till is sent. The first call loads the code that signs. */
const byTill = ({ keys }: Device, session: string | null = null) => ({
  session,
  send: async (path: string, init: RequestInit) =>
    (await import("../device/signed-fetch")).sendBy(keys)(path, init),
});

/** "retired": the server no longer knows this key. "lost": no answer came, or the server failed. */
type OwnTillAnswer = { kind: "ok"; till: OwnTill } | { kind: "retired" | "lost" };

/** Asks the server for the data of this till. Keeps the answer. */
export async function readOwnTill(device: Device): Promise<OwnTillAnswer> {
  try {
    const answer = await api(ofTills("ownTill"), {}, byTill(device));
    // Any other 401 is of another server, such as a gateway.
    if (answer.kind === "signedOut" && answer.code === "invalid_dpop_proof") {
      await markRetired();
      return { kind: "retired" };
    }
    if (answer.kind !== "ok") return { kind: "lost" };
    const till = toOwnTill(answer.data);
    localStorage.setItem(TILL_KNOWN, JSON.stringify(till));
    window.dispatchEvent(new Event(TILL_KNOWN));
    writeMark("paired");
    return { kind: "ok", till };
  } catch {
    // The browser's storage failed.
    return { kind: "lost" };
  }
}

/** Makes a key and pairs this browser with the till of the code. The key is kept only once the server has accepted it. */
export async function pairDevice(pairingCode: string): Promise<Answer<unknown>> {
  try {
    const keys = await newKeys();
    const input = { pairingCode, publicKey: await publicJwk(keys) };
    const send = (session: string | null) => api(ofTills("pairTill"), input, { session, send: sendPlain });
    // As the owner who is signed in, whose tries no stranger uses up; without them where nobody is any more.
    const handle = localStorage.getItem(TOKEN_KEY);
    const first = await send(handle);
    const answer = handle && first.kind === "signedOut" ? await send(null) : first;
    if (answer.kind !== "ok") return answer;
    const { id, name, branch, merchant } = answer.data;
    await keepDevice({ keys, till: { id, name, branch: branch.name, merchant: merchant.businessName } });
    return answer;
  } catch {
    return { kind: "lost" };
  }
}

type PinAnswer = { kind: "ok"; cashier: Cashier } | { kind: "refused"; message: string } | { kind: "lost" };

/** Signs an employee in on this till by PIN. The session is this browser's cookie. */
export function signInByPin(device: Device, workerId: string, pin: string): Promise<PinAnswer> {
  return oneSession(async () => {
    const answer = await api(ofAccounts("pinSession"), { workerId, pin }, byTill(device));
    if (answer.kind !== "ok")
      return answer.message === undefined || answer.code === ""
        ? { kind: "lost" }
        : { kind: "refused", message: answer.message };
    const { handle, worker, entryKey, entryKeyUntil } = answer.data;
    // Without the key (an older server, a full disk), what others send for this session goes to the owner.
    await import("../offline/till-record")
      .then(({ keepEntryKey }) => keepEntryKey(handle, entryKey, entryKeyUntil))
      .catch(() => undefined);
    const cashier = { handle, id: worker.id, name: `${worker.firstName} ${worker.lastName}` };
    touchTill(handle);
    writeCashier(cashier);
    localStorage.setItem(TOKEN_KEY, handle);
    return { kind: "ok", cashier };
  });
}

/** Ends a session. "refused": the server lost the till's key, the session goes on. "lost": no answer came. */
export async function endSession(device: Device, { handle }: Pick<Cashier, "handle">) {
  const answer = await api(ofAccounts("signOut"), {}, byTill(device, handle));
  if (answer.kind === "ok") return "ended";
  // Another server's answer, such as that of a captive portal, has no code and says nothing.
  if (answer.kind !== "signedOut" || !(answer.ended || answer.code)) return "lost";
  return answer.code === "invalid_dpop_proof" ? "refused" : "ended";
}
