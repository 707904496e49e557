import { z } from "zod";
import { nameSchema, pinSchema } from "@/lib/accounts/model/account";
import { idSchema } from "@/lib/domain/ids";
import type { BranchRef, MerchantRef } from "@/lib/domain/localized-names";
import { toLatinDigits } from "@/lib/domain/money";
import { pageSchema } from "@/lib/domain/paging";
import { requiredText } from "@/lib/domain/typed";

/** A device at a counter. A retired one keeps its movements and makes no new ones. */
export type Till = {
  id: string;
  name: string;
  branch: BranchRef;
  merchant: MerchantRef;
  pairedAt: Date | null;
  retiredAt: Date | null;
  createdAt: Date;
  /** Since when no PIN signs in here, until the owner opens it. */
  pinLockedAt: Date | null;
  /** The newest request of a session that was opened there by PIN, and whose it was; null before the first. */
  lastContact: { at: Date; by: string } | null;
};

/** A new code is only ever shown by the call that made it. */
export type TillWithCode = Till & { pairingCode: string; pairingExpiresAt: Date };

export const PAIRING_SECONDS = 10 * 60;
/** Days for which a retired till or a replaced key may still send what was kept. It goes to the inbox. */
const RETIRED_SYNC_DAYS = 30;

/** Whether a till's requests by this key are accepted: while in use, or (`kept`) while a retired one may send what it kept. */
export function isTillAccepted(
  { retiredAt, replacedAt }: { retiredAt: Date | null; replacedAt: Date | null },
  kept: boolean,
  now: Date,
): boolean {
  const since = kept ? now.getTime() - RETIRED_SYNC_DAYS * 24 * 60 * 60 * 1000 : Number.POSITIVE_INFINITY;
  return [retiredAt, replacedAt].every((over) => over === null || over.getTime() > since);
}

export const createTillSchema = z.object({ branchId: idSchema, name: nameSchema });

export const updateTillSchema = z.object({
  id: idSchema,
  name: nameSchema.optional(),
  branchId: idSchema.optional(),
  /** False opens PIN sign-in on a till where too many wrong PINs locked it. */
  pinLocked: z.literal(false, "validation.invalid").optional(),
  /** True makes another pairing code; the till's present key stays valid until the code is used. */
  newCode: z.literal(true, "validation.invalid").optional(),
});

export const tillsSchema = pageSchema.extend({
  branchId: idSchema.optional(),
  merchantId: idSchema.optional(),
  state: z.enum(["in_use", "retired", "all"], "validation.invalid").default("in_use"),
});

const coordinate = z.string("validation.invalid").regex(/^[\w-]{43}$/, "validation.invalid");
/** A P-256 public key as a JWK. A private part is refused; what else it carries is dropped. */
export const publicKeySchema = z
  .object(
    {
      kty: z.literal("EC", "validation.invalid"),
      crv: z.literal("P-256", "validation.invalid"),
      x: coordinate,
      y: coordinate,
      d: z.undefined("validation.invalid").optional(),
    },
    "validation.invalid",
  )
  .transform(({ kty, crv, x, y }) => ({ kty, crv, x, y }));

export const pairTillSchema = z.object({
  pairingCode: z
    .string("validation.invalid")
    .max(100, "validation.invalid")
    .transform((text) => toLatinDigits(text).replaceAll(/\s/g, ""))
    .pipe(z.string().regex(/^\d{8}$/, "validation.invalid")),
  publicKey: publicKeySchema,
});

export const setPinSchema = z.object({
  password: requiredText(200),
  pin: pinSchema,
});

export const pinSignInSchema = z.object({ workerId: idSchema, pin: pinSchema });

/** Whether a PIN is among the first that anybody guesses: one digit, two digits in turn, a run, a year or a date twice. */
export function isWeakPin(digits: string): boolean {
  const steps = [...digits].slice(1).map((digit, at) => (Number(digit) - Number(digits[at]) + 10) % 10);
  const first = steps[0] ?? 0;
  const run = steps.every((step) => step === first) && [0, 1, 9].includes(first);
  const halves = digits.slice(0, 3) === digits.slice(3);
  const pairs = digits.slice(0, 2) === digits.slice(2, 4) && digits.slice(2, 4) === digits.slice(4);
  return run || halves || pairs || COMMON_PINS.has(digits);
}

/** The most common PINs in published lists that the rules of isWeakPin do not find. */
const COMMON_PINS = new Set([
  ...["112233", "123321", "121314", "147258", "159753", "159357", "147852", "258369", "789456", "456789"],
  ...["112211", "100200", "102030", "010203", "246810", "135790", "113355", "998877", "654123", "321654"],
  ...["123654", "111222", "222111", "520520", "131313", "696969", "007007", "142536", "741852", "852456"],
  ...["200000", "100000", "000001", "123123", "101010", "110110", "119119", "911911", "974974", "199999"],
]);
