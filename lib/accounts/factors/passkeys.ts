import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { z } from "zod";
import type { Db, Tx } from "@/lib/db/client";
import type { UserActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import type { AddPasskey, Assertion } from "../model/second-factor";
import { type ChallengeOf, spendChallenge } from "./challenges";

type Transports = NonNullable<Parameters<typeof verifyAuthenticationResponse>[0]["credential"]["transports"]>;

const site = (): URL => new URL(env().APP_URL);

/** Each browser's answer must show this challenge, this site, and that the user was verified. */
const expectedOf = (challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: site().origin,
  expectedRPID: site().hostname,
  requireUserVerification: true,
});

// The bytes of a challenge are those of its secret, so the browser's answer says which challenge it is.
const bytesOf = (secret: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(secret, "base64url"));

/** The options of the browser's call that asks for a passkey: one of the user's, or any of this site without a user. */
export async function assertionOptions(db: Db | Tx, secret: string, userId: string | null) {
  const own = userId
    ? await db.secondFactor.findMany({
        where: { userId, kind: "passkey" },
        select: { credentialId: true, transports: true },
      })
    : [];
  return generateAuthenticationOptions({
    rpID: site().hostname,
    challenge: bytesOf(secret),
    // A passkey is two factors: what one has, and the finger or the PIN that unlocks it.
    userVerification: "required",
    allowCredentials: own.map(({ credentialId, transports }) => ({
      id: credentialId ?? "",
      transports: transports as Transports,
    })),
  });
}

/** The options of the browser's call that makes a passkey for this user. */
export async function creationOptions(db: Db, actor: UserActor, secret: string) {
  const known = await db.secondFactor.findMany({
    where: { userId: actor.userId, kind: "passkey" },
    select: { credentialId: true },
  });
  return generateRegistrationOptions({
    rpName: "Loyalty Wallet",
    rpID: site().hostname,
    userID: new Uint8Array(Buffer.from(actor.userId)),
    userName: actor.email,
    userDisplayName: `${actor.firstName} ${actor.lastName}`,
    challenge: bytesOf(secret),
    attestationType: "none",
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId ?? "" })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

const clientDataSchema = z.object({ challenge: z.string().min(1).max(200) });

function challengeIn(clientDataJSON: string): string | null {
  try {
    return clientDataSchema.parse(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString())).challenge;
  } catch {
    return null;
  }
}

/** The passkey that a browser made for a challenge of this kind, which is spent. Throws second_factor_invalid. */
export async function verifyNewPasskey(
  db: Db,
  attestation: AddPasskey["attestation"],
  of: ChallengeOf,
  now: Date,
) {
  const challenge = challengeIn(attestation.response.clientDataJSON);
  const invalid = () => new DomainError("second_factor_invalid");
  if (challenge === null || !(await spendChallenge(db, challenge, of, now))) throw invalid();
  const { registrationInfo } = await verifyRegistrationResponse({
    ...expectedOf(challenge),
    response: attestation as Parameters<typeof verifyRegistrationResponse>[0]["response"],
  }).catch((cause: unknown) => {
    throw new DomainError("second_factor_invalid", {}, [], { cause });
  });
  if (!registrationInfo) throw invalid();
  const { credential } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: new Uint8Array(credential.publicKey),
    counter: credential.counter,
    transports: attestation.response.transports ?? [],
  };
}

/** Spends the challenge that a passkey answered. Null also for a counter that went back, which indicates a copied passkey. */
export async function spendAssertion(
  db: Db,
  assertion: Assertion,
  of: ChallengeOf,
  now: Date,
  expected?: string,
): Promise<{ id: string; userId: string } | null> {
  const challenge = challengeIn(assertion.response.clientDataJSON);
  if (challenge === null || (expected !== undefined && challenge !== expected)) return null;
  if (!(await spendChallenge(db, challenge, of, now))) return null;
  const factor = await db.secondFactor.findUnique({ where: { credentialId: assertion.id } });
  if (!factor?.publicKey || (of.userId && factor.userId !== of.userId)) return null;
  const verified = await verifyAuthenticationResponse({
    ...expectedOf(challenge),
    response: assertion as Parameters<typeof verifyAuthenticationResponse>[0]["response"],
    credential: {
      id: assertion.id,
      publicKey: new Uint8Array(factor.publicKey),
      counter: Number(factor.counter),
      transports: factor.transports as Transports,
    },
    // A forged or foreign answer is refused like a wrong code.
  }).catch(() => null);
  if (!verified?.verified) return null;
  const counter = verified.authenticationInfo.newCounter;
  const { count } = await db.secondFactor.updateMany({
    where: { id: factor.id, ...(counter === 0 ? { counter: 0 } : { counter: { lt: counter } }) },
    data: { counter, lastUsedAt: now },
  });
  return count === 1 ? { id: factor.id, userId: factor.userId } : null;
}
