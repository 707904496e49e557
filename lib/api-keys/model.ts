import { z } from "zod";
import { nameSchema } from "@/lib/accounts/model/account";
import { branchOrAny, idSchema } from "@/lib/domain/ids";
import { KEY_SCOPES } from "@/lib/domain/key-scopes";
import { pageSchema } from "@/lib/domain/paging";
import { pointsSchema } from "@/lib/ledger/model/movements";

/** Rotating: it has two secrets, and the older one ends within a day. */
export const KEY_STATES = ["active", "rotating", "revoked"] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** How long the secret of before is good after a rotation, in hours. */
export const OVERLAP_HOURS = 24;
/** The points that a key tops up and gives as bonus in a day where its owner sets no limit. */
export const DAY_POINTS = 20_000;
const MOST_HOLD_SECONDS = 86_400;

const MOST_ADDRESSES = 20;
const MAX_NAME = 60;
const MAX_POINTS = 2_147_483_647;

const limit = (min: number, max: number) =>
  z.number("validation.number.type").int("validation.number.type").min(min).max(max);

const addressSchema = z
  .string("validation.type")
  .trim()
  .pipe(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], "validation.invalid"));

const name = nameSchema.max(MAX_NAME, "validation.tooLong");
const scopes = z
  .array(z.enum(KEY_SCOPES, "validation.invalid"), "validation.required")
  .min(1, "validation.required")
  .max(KEY_SCOPES.length, "validation.invalid")
  .transform((chosen) => KEY_SCOPES.filter((scope) => chosen.includes(scope)));

/** A change may leave these out or set them to null, and a new key too. */
const options = {
  branchId: idSchema.nullish(),
  addresses: z.array(addressSchema, "validation.type").max(MOST_ADDRESSES, "validation.tooLong").optional(),
  maxPointsOne: limit(1, MAX_POINTS).nullish(),
  maxPointsDay: limit(1, MAX_POINTS).nullish(),
  maxHoldSeconds: limit(30, MOST_HOLD_SECONDS).nullish(),
  staffCards: z.boolean("validation.type").optional(),
};

export const createApiKeySchema = z.object({
  name,
  scopes,
  ...options,
  /** Required from a super_admin; the actor's own merchant otherwise. */
  merchantId: idSchema.optional(),
});

/** A field that is left out keeps its value; null ends a limit. */
export const updateApiKeySchema = z.object({
  id: idSchema,
  name: name.optional(),
  scopes: scopes.optional(),
  ...options,
});

export const apiKeysSchema = pageSchema.extend({
  merchantId: idSchema.optional(),
  state: z.enum(["in_use", "revoked", "all"], "validation.invalid").default("in_use"),
});

export const leakedKeySchema = z.object({
  secret: z.string("validation.required").trim().min(1, "validation.required").max(100, "validation.tooLong"),
});

const MINUTE = 60;
const empty = z.literal("").transform(() => null);

/** The fields of a key as its form has them: amounts are typed, and addresses are parted by spaces or commas. */
export const apiKeyFormSchema = createApiKeySchema.omit({ merchantId: true }).extend({
  branchId: branchOrAny,
  maxPointsOne: empty.or(pointsSchema),
  maxPointsDay: empty.or(pointsSchema),
  maxHoldSeconds: empty.or(
    pointsSchema.transform((minutes) => minutes * MINUTE).pipe(limit(MINUTE, MOST_HOLD_SECONDS)),
  ),
  addresses: z
    .string()
    .transform((text) => text.split(/[\s,]+/u).filter(Boolean))
    .pipe(createApiKeySchema.shape.addresses.unwrap()),
  staffCards: z.boolean(),
});
export type ApiKeyForm = z.input<typeof apiKeyFormSchema>;
