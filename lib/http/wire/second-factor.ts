import { z } from "zod";
import type { Enrolled, NewTotp } from "@/lib/accounts/factors/enrol";
import { FACTOR_KINDS, type FactorRequest, type Factors } from "@/lib/domain/second-factor";

const methods = z.array(z.enum(["passkey", "totp", "recovery", "password"]));
const webAuthnOptions = z.record(z.string(), z.unknown()).nullable();

/** What a second step asks for: `jOptions` go to WebAuthn's `navigator.credentials.get`. */
export const factorRequestData = z.object({
  sChallenge: z.string(),
  aMethods: methods,
  jOptions: webAuthnOptions,
  dExpiresAt: z.iso.datetime(),
  /** In the demo only: the present code of the authenticator app. */
  sDemoCode: z.string().optional(),
});

export const factorRequestFrom = (request: FactorRequest): z.output<typeof factorRequestData> => ({
  sChallenge: request.challenge,
  aMethods: request.methods,
  jOptions: request.options,
  dExpiresAt: request.expiresAt.toISOString(),
  ...(request.demoCode === null ? {} : { sDemoCode: request.demoCode }),
});

export const factorRequestReply = { schema: factorRequestData, from: factorRequestFrom };

const factorsData = z.object({
  aFactors: z.array(
    z.object({
      _id: z.string(),
      eKind: z.enum(FACTOR_KINDS),
      sName: z.string(),
      dCreatedAt: z.iso.datetime(),
      dLastUsedAt: z.iso.datetime().nullable(),
    }),
  ),
  nRecoveryCodes: z.number().int(),
  bRequired: z.boolean(),
});

export const factorsReply = {
  schema: factorsData,
  from: ({ factors, recoveryCodes, required }: Factors) => ({
    aFactors: factors.map((factor) => ({
      _id: factor.id,
      eKind: factor.kind,
      sName: factor.name,
      dCreatedAt: factor.createdAt.toISOString(),
      dLastUsedAt: factor.lastUsedAt?.toISOString() ?? null,
    })),
    nRecoveryCodes: recoveryCodes,
    bRequired: required,
  }),
};

export const newTotpReply = {
  schema: z.object({ sSecret: z.string(), sUri: z.string(), sDemoCode: z.string().optional() }),
  from: ({ secret, uri, demoCode }: NewTotp) => ({
    sSecret: secret,
    sUri: uri,
    ...(demoCode === null ? {} : { sDemoCode: demoCode }),
  }),
};

export const enrolledReply = {
  schema: z.object({ _id: z.string(), sName: z.string(), aRecoveryCodes: z.array(z.string()).optional() }),
  from: ({ id, name, recoveryCodes }: Enrolled) => ({
    _id: id,
    sName: name,
    ...(recoveryCodes ? { aRecoveryCodes: recoveryCodes } : {}),
  }),
};

export const recoveryCodesReply = {
  schema: z.object({ aRecoveryCodes: z.array(z.string()) }),
  from: ({ recoveryCodes }: { recoveryCodes: string[] }) => ({ aRecoveryCodes: recoveryCodes }),
};

export const creationOptionsReply = {
  schema: z.object({ jOptions: z.record(z.string(), z.unknown()) }),
  from: ({ options }: { options: Record<string, unknown> }) => ({ jOptions: options }),
};

export const stepUpReply = {
  schema: z.object({ dUntil: z.iso.datetime() }),
  from: ({ until }: { until: Date }) => ({ dUntil: until.toISOString() }),
};

export const confirmSignInWire = {
  sChallenge: "challenge",
  sCode: "code",
  jAssertion: "assertion",
} as const;
export const stepUpWire = { sPassword: "password", sCode: "code", jAssertion: "assertion" } as const;
export const confirmTotpWire = { sCode: "code", sName: "name" } as const;
export const addPasskeyWire = { jAttestation: "attestation", sName: "name" } as const;
export const renameFactorWire = { sName: "name" } as const;
