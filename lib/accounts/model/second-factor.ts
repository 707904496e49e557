import { z } from "zod";
import type { ProofMethod } from "@/lib/domain/errors";
import { idSchema } from "@/lib/domain/ids";
import { toLatinDigits } from "@/lib/domain/money";
import { requiredText } from "@/lib/domain/typed";
import { nameSchema } from "./account";

export const STEP_UP_SECONDS = 5 * 60;

export const FACTOR_KINDS = ["passkey", "totp"] as const satisfies ProofMethod[];

const encoded = requiredText(20_000).regex(/^[A-Za-z0-9_-]+={0,2}$/, "validation.invalid");

const credential = {
  id: encoded,
  rawId: encoded,
  type: z.literal("public-key", "validation.invalid"),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).optional(),
};

/** A browser's reply when a passkey signs (`AuthenticationResponseJSON` of WebAuthn). */
const assertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.optional(),
  }),
});
export type Assertion = z.output<typeof assertionSchema>;

/** A browser's reply when it made a passkey (`RegistrationResponseJSON` of WebAuthn). */
const attestationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});

/** Six digits of an authenticator app, or a recovery code, in small letters and without its separators. */
const codeSchema = z
  .string({ error: "validation.required" })
  .max(40, "validation.tooLong")
  .transform((text) => toLatinDigits(text).toLowerCase().replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^(?:\d{6}|[0-9a-z]{16})$/, "validation.factorCode"));

export const confirmSignInSchema = z
  .object({
    challenge: requiredText(200),
    code: codeSchema.optional(),
    assertion: assertionSchema.optional(),
  })
  .refine((given) => (given.code === undefined) !== (given.assertion === undefined), {
    path: ["code"],
    error: "validation.required",
  });
export type ConfirmSignIn = z.output<typeof confirmSignInSchema>;

export const stepUpSchema = z
  .object({
    password: z.string().min(1, "validation.required").max(128, "validation.tooLong").optional(),
    code: codeSchema.optional(),
    assertion: assertionSchema.optional(),
  })
  .refine(
    ({ password, code, assertion }) =>
      [password, code, assertion].filter((one) => one !== undefined).length === 1,
    { path: ["password"], error: "validation.required" },
  );

export const confirmTotpSchema = z.object({ code: codeSchema, name: nameSchema.optional() });

export const addPasskeySchema = z.object({ attestation: attestationSchema, name: nameSchema.optional() });
export type AddPasskey = z.output<typeof addPasskeySchema>;

export const renameFactorSchema = z.object({ id: idSchema, name: nameSchema });
