import { TOKEN_KEY } from "@/components/accounts/session/stored-session";
import { api, type InputOf } from "@/lib/api/client";
import { sendPlain } from "@/lib/api/connection";
import type { tillCalls } from "@/lib/tills/names";
import { type Device, keepDevice, newKeys, publicJwk } from "../device/device";
import { markRetired, writeMark } from "../device/mark";
import { type Cashier, keepKnownTill, type OwnTill, toOwnTill } from "../device/own-till";
import type { PinAnswer } from "./who-is-there";

// The first call loads the names: pages of employees without a till load none of them.
const ofTills = async () => (await import("@/lib/tills/names")).tillCalls;
const ofAccounts = async () => (await import("@/lib/accounts/names")).accountCalls;

/** How a call of this till is sent. The first call loads the code that signs. */
const byTill = ({ keys }: Device, session: string | null = null) => ({
  session,
  send: async (path: string, init: RequestInit) =>
    (await import("../device/signed-fetch")).sendBy(keys)(path, init),
});

/** "retired": the server no longer knows this key. "lost": no answer came, or the server failed. */
type OwnTillAnswer = { kind: "ok"; till: OwnTill } | { kind: "retired" } | { kind: "lost" };

/**
 * Asks the server for the data of this till: its name, branch, open shift, employees and settings. Keeps the
 * answer.
 */
export async function readOwnTill(device: Device): Promise<OwnTillAnswer> {
  try {
    const answer = await api((await ofTills()).ownTill, {}, byTill(device));
    // Any other 401 is of another server, such as a gateway.
    if (answer.kind === "signedOut" && answer.code === "invalid_dpop_proof") {
      await markRetired();
      return { kind: "retired" };
    }
    if (answer.kind !== "ok") return { kind: "lost" };
    const till = toOwnTill(answer.data);
    keepKnownTill(till);
    writeMark("paired");
    return { kind: "ok", till };
  } catch {
    // The browser's storage failed, or the names did not load.
    return { kind: "lost" };
  }
}

/** `message` is the server's sentence; null without an answer. */
type PairAnswer =
  | { kind: "ok"; device: Device }
  | { kind: "refused"; code: string | null; message: string | null };

/** Sends a pairing as the owner who is signed in, whose tries no stranger uses up; without them where nobody is any more. */
async function sendPairing(input: InputOf<typeof tillCalls.pairTill>) {
  const { pairTill } = await ofTills();
  const send = (session: string | null) => api(pairTill, input, { session, send: sendPlain });
  const handle = localStorage.getItem(TOKEN_KEY);
  const answer = await send(handle);
  return handle && answer.kind === "signedOut" ? send(null) : answer;
}

/** Makes a key and pairs this browser with the till of the code. The key is kept only once the server has accepted it. */
export async function pairDevice(pairingCode: string): Promise<PairAnswer> {
  try {
    const keys = await newKeys();
    const answer = await sendPairing({ pairingCode, publicKey: await publicJwk(keys) });
    if (answer.kind !== "ok")
      return { kind: "refused", code: answer.code || null, message: answer.message || null };
    const { id, name, branch, merchant } = answer.data;
    const till = { id, name, branch: branch.name, merchant: merchant.businessName };
    await keepDevice({ keys, till });
    return { kind: "ok", device: { keys, till } };
  } catch {
    return { kind: "refused", code: null, message: null };
  }
}

/** Signs an employee in on this till by PIN. The session is this browser's cookie. */
export async function signInByPin(device: Device, workerId: string, pin: string): Promise<PinAnswer> {
  try {
    const answer = await api((await ofAccounts()).pinSession, { workerId, pin }, byTill(device));
    if (answer.kind !== "ok")
      return answer.message === undefined || answer.code === ""
        ? { kind: "lost" }
        : { kind: "refused", message: answer.message };
    const { handle, worker, entryKey, entryKeyUntil } = answer.data;
    // Without the key, what the session keeps and somebody else sends goes to the owner. A server of the version before
    // answers none, and a full disk takes none.
    await import("../offline/till-record")
      .then(({ keepEntryKey }) => keepEntryKey(handle, entryKey, entryKeyUntil))
      .catch(() => undefined);
    const name = `${worker.firstName} ${worker.lastName}`;
    return { kind: "ok", cashier: { handle, id: worker.id, name } };
  } catch {
    // The names did not load.
    return { kind: "lost" };
  }
}

/** "refused": the server does not know this till's key any more, and the session goes on. "lost": no answer came. */
type EndAnswer = "ended" | "refused" | "lost";

/** Ends the session with this handle. */
export async function endSession(device: Device, { handle }: Pick<Cashier, "handle">): Promise<EndAnswer> {
  try {
    const answer = await api((await ofAccounts()).signOut, {}, byTill(device, handle));
    if (answer.kind === "ok") return "ended";
    if (answer.kind !== "signedOut") return "lost";
    if (answer.ended) return "ended";
    // Another server's answer, such as that of a captive portal, says nothing.
    if (!answer.code) return "lost";
    return answer.code === "invalid_dpop_proof" ? "refused" : "ended";
  } catch {
    // The names did not load.
    return "lost";
  }
}
