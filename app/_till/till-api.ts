import { TOKEN_KEY } from "@/components/session/stored-session";
import type { Cashier } from "@/components/till-device/cashier";
import { type Device, keepDevice, newKeys, publicJwk } from "@/components/till-device/device";
import { writeMark } from "@/components/till-device/mark";
import { markRetired } from "@/components/till-device/retire";
import type { PinAnswer } from "@/components/till-door/who-is-there";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import type { OwnTillWire, TillWire } from "@/lib/tills/names";
import { keepKnownTill, type OwnTill, toTill } from "./own-till";

type Envelope<T> = { data: T; code?: string; message?: string };

/** Sends a request with the till proof. The first call loads the code that signs. */
async function signed({ keys }: Device, path: string, init: RequestInit): Promise<Response> {
  const { sendSigned } = await import("@/components/till-device/signed-fetch");
  return sendSigned(keys, new URL(path, window.location.href), init);
}

const timeout = () => ({ cache: "no-store", signal: AbortSignal.timeout(15_000) }) as const;
const json = (body: unknown) => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json", ...TUNNEL_HEADER },
});

/** "retired": the server no longer knows this key. "lost": no answer came, or the server failed. */
export type OwnTillAnswer = { kind: "ok"; till: OwnTill } | { kind: "retired" } | { kind: "lost" };

/**
 * Asks the server for the data of this till: its name, branch, open shift, employees and settings. Keeps the
 * answer.
 */
export async function readOwnTill(device: Device): Promise<OwnTillAnswer> {
  try {
    const init = { headers: { ...TUNNEL_HEADER }, ...timeout() };
    const answer = await signed(device, "/api/tills/me", init);
    if (answer.status === 401) {
      await markRetired();
      return { kind: "retired" };
    }
    if (!answer.ok) return { kind: "lost" };
    const till = toTill(((await answer.json()) as Envelope<OwnTillWire>).data);
    keepKnownTill(till);
    writeMark("paired");
    return { kind: "ok", till };
  } catch {
    return { kind: "lost" };
  }
}

/** `message` is the server's sentence; null without an answer. */
type PairAnswer =
  | { kind: "ok"; device: Device }
  | { kind: "refused"; code: string | null; message: string | null };

/** Sends a pairing as the owner who is signed in, whose tries no stranger uses up; without them where nobody is any more. */
async function sendPairing(body: unknown): Promise<Response> {
  const { headers, ...init } = { ...json(body), ...timeout() };
  const send = (more: Record<string, string>) =>
    fetch("/api/tills/pair", { ...init, headers: { ...headers, ...more } });
  const handle = localStorage.getItem(TOKEN_KEY);
  if (!handle) return send({});
  const answer = await send({ Authorization: handle });
  return answer.status === 401 || answer.status === 417 ? send({}) : answer;
}

/** Makes a key and pairs this browser with the till of the code. The key is kept only once the server has accepted it. */
export async function pairDevice(sPairingCode: string): Promise<PairAnswer> {
  try {
    const keys = await newKeys();
    const jPublicKey = await publicJwk(keys);
    const answer = await sendPairing({ sPairingCode, jPublicKey });
    const body = (await answer.json()) as Envelope<TillWire>;
    if (!answer.ok) return { kind: "refused", code: body.code ?? null, message: body.message ?? null };
    const { _id: id, sName: name, branch, merchant } = body.data;
    const till = { id, name, branch: branch.sBranchName, merchant: merchant.sBusinessName };
    await keepDevice({ keys, till });
    return { kind: "ok", device: { keys, till } };
  } catch {
    return { kind: "refused", code: null, message: null };
  }
}

type SignedInWire = {
  handle: string;
  worker: { _id: string; sFirstName: string; sLastName: string };
  sEntryKey: string;
  dEntryKeyUntil: string;
};

/** Keeps the key of a new session. Without it, what the session keeps and somebody else sends goes to the owner. */
async function storeEntryKey(...given: [handle: string, bytes: string, until: string]): Promise<void> {
  try {
    await (await import("@/components/till-store/entry-key")).keepEntryKey(...given);
  } catch {
    // A server of the version before answers no key, and a full disk takes none.
  }
}

/** Signs an employee in on this till by PIN. The session is this browser's cookie. */
export async function signInByPin(device: Device, iWorkerId: string, sPin: string): Promise<PinAnswer> {
  try {
    const answer = await signed(device, "/session/pin", { ...json({ iWorkerId, sPin }), ...timeout() });
    const body = (await answer.json()) as Envelope<SignedInWire>;
    if (!answer.ok) return { kind: "refused", message: body.message ?? "" };
    const { handle, worker, sEntryKey, dEntryKeyUntil } = body.data;
    await storeEntryKey(handle, sEntryKey, dEntryKeyUntil);
    const name = `${worker.sFirstName} ${worker.sLastName}`;
    return { kind: "ok", cashier: { handle, id: worker._id, name } };
  } catch {
    return { kind: "lost" };
  }
}

/** "refused": the server does not know this till's key any more, and the session goes on. "lost": no answer came. */
type EndAnswer = "ended" | "refused" | "lost";

/** Ends the session with this handle. */
export async function endSession(device: Device, { handle }: Pick<Cashier, "handle">): Promise<EndAnswer> {
  try {
    const headers = { Authorization: handle, ...TUNNEL_HEADER };
    const init = { method: "POST", headers, ...timeout() };
    const answer = await signed(device, "/api/auth/logout", init);
    if (answer.ok || answer.status === 417) return "ended";
    if (answer.status !== 401) return "lost";
    const { code } = (await answer.json()) as Partial<Envelope<unknown>>;
    return code === "invalid_dpop_proof" ? "refused" : "ended";
  } catch {
    return "lost";
  }
}
