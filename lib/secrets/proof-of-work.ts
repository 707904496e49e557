import { randomInt, randomUUID } from "node:crypto";
import { type Challenge, createChallenge, type Solution, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { macOf } from "./keys";
import { secretsEqual } from "./secrets";

/** Lifetime of a challenge, in seconds. */
export const CHALLENGE_SECONDS = 300;
/** Lifetime of the pass that a solution gives, in seconds. */
export const PASS_SECONDS = 600;
// One step costs a slow phone about 3 ms and a laptop 0.5 ms. The bounds keep the longest search below 3 s on the phone.
const COST = 1_000;
const FEWEST_STEPS = 300;
const MOST_STEPS = 800;

const keyFor = (label: string): string => macOf("proofs-of-work", label).toString("base64url");
const secrets = () => ({ hmacSignatureSecret: keyFor("challenge"), hmacKeySignatureSecret: keyFor("key") });

/** A new challenge for a browser at this address. It costs the server one step of the browser's work. */
export function newWorkChallenge(address: string, now = Date.now()): Promise<Challenge> {
  return createChallenge({
    algorithm: "PBKDF2/SHA-256",
    cost: COST,
    counter: randomInt(FEWEST_STEPS, MOST_STEPS),
    deriveKey,
    expiresAt: Math.floor(now / 1000) + CHALLENGE_SECONDS,
    data: { address: keyFor(`address\n${address}`).slice(0, 22) },
    ...secrets(),
  });
}

/** Whether the solution is right, in time, and of a challenge for this address. It says nothing about earlier uses. */
export async function isSolved(address: string, challenge: Challenge, solution: Solution): Promise<boolean> {
  if (challenge.parameters.data?.address !== keyFor(`address\n${address}`).slice(0, 22)) return false;
  const { verified } = await verifySolution({ challenge, solution, deriveKey, ...secrets() });
  return verified;
}

const sign = (id: string, until: string, address: string) => keyFor(`pass\n${id}\n${until}\n${address}`);

/** The value of the cookie of a client that solved a challenge: good at this address until it expires. */
export function newPass(address: string, now = Date.now()): string {
  const [id, until] = [randomUUID(), String(Math.floor(now / 1000) + PASS_SECONDS)];
  return `${id}.${until}.${sign(id, until, address)}`;
}

/** The id of a valid pass for this address; null when it is missing, forged, expired or another address's. */
export function readPass(value: string | undefined, address: string, now = Date.now()): string | null {
  const [id = "", until = "", signature = ""] = (value ?? "").split(".");
  if (!/^\d{1,12}$/.test(until) || Number(until) * 1000 < now) return null;
  return secretsEqual(signature, sign(id, until, address)) ? id : null;
}
