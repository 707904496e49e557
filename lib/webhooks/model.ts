import { z } from "zod";
import { branchOrAny, idSchema } from "@/lib/domain/ids";
import { pageSchema } from "@/lib/domain/paging";

/** The types of events, in the order in which the owner's page shows it. */
export const EVENT_TYPES = [
  "topup.posted",
  "redeem.posted",
  "refund.posted",
  "bonus.posted",
  "reversal.posted",
  "expiry.posted",
  "adjustment.posted",
  "import.posted",
  "hold.opened",
  "hold.captured",
  "hold.extended",
  "hold.voided",
  "hold.lapsed",
  "customer.created",
  "customer.changed",
  "customer.frozen",
  "customer.unfrozen",
  "customer.erased",
  "shift.closed",
  "endpoint.test",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The types that an owner chooses from: every endpoint gets its test. */
export const CHOSEN_TYPES = EVENT_TYPES.filter((type) => type !== "endpoint.test");

/** An event as software reads it. `data` has the names of the API. */
export type EventBody = { type: EventType; timestamp: string; data: Record<string, unknown> };
export type WalletEvent = EventBody & { id: string };

export const ENDPOINT_STATES = ["active", "failing", "disabled"] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

export const DELIVERY_STATES = ["pending", "succeeded", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const DELIVERY_ERRORS = ["timeout", "connection", "address", "tls"] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

export const SECRET_OVERLAP_HOURS = 24;

const url = z
  .string("validation.required")
  .trim()
  .min(1, "validation.required")
  .max(2_000, "validation.tooLong")
  .refine((text) => URL.canParse(text), "validation.webhookUrl");
const events = z
  .array(z.enum(CHOSEN_TYPES, "validation.invalid"), "validation.required")
  .min(1, "validation.required")
  .max(CHOSEN_TYPES.length, "validation.invalid")
  .transform((chosen) => CHOSEN_TYPES.filter((type) => chosen.includes(type)));
const flag = z.boolean("validation.type");

const settings = z.object({
  url,
  events,
  branchId: idSchema.nullish(),
  ordered: flag,
  asymmetric: flag,
});

export const createWebhookSchema = settings.extend({
  ordered: flag.default(true),
  asymmetric: flag.default(false),
  /** Required from a super_admin; the actor's own merchant otherwise. */
  merchantId: idSchema.optional(),
});

export const updateWebhookSchema = z.object({
  id: idSchema,
  ...settings.partial().shape,
  /** "active" begins again where it was disabled: what happened meanwhile is sent first. */
  state: z.enum(["active", "disabled"], "validation.invalid").optional(),
});

export const webhooksSchema = pageSchema.extend({ merchantId: idSchema.optional() });

/** A moment with its zone, or the start of a day in UTC. Postgres has no year 0. */
const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], "validation.date")
  .refine((text) => text >= "1900" && text < "9999", "validation.date")
  .transform((text) => new Date(text))
  .optional();
export const deliveriesSchema = pageSchema.extend({
  id: idSchema,
  state: z.enum(DELIVERY_STATES, "validation.invalid").optional(),
  from: moment,
  to: moment,
});

/** One event, a range of time, or what failed (since `from`, where it is given). */
export const replaySchema = z
  .object({
    id: idSchema,
    eventId: idSchema.optional(),
    from: moment,
    to: moment,
    failedOnly: z.boolean("validation.type").optional(),
  })
  .refine(({ eventId, from, to, failedOnly }) => eventId || failedOnly || (from && to), {
    path: ["eventId"],
    message: "validation.required",
  });

export const eventsSchema = z.object({
  after: z.string().max(200, "validation.tooLong").optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
  types: z
    .string()
    .max(1_000, "validation.tooLong")
    .transform((text) => text.split(",").map((type) => type.trim()))
    .pipe(z.array(z.enum(EVENT_TYPES, "validation.invalid")))
    .optional(),
  merchantId: idSchema.optional(),
});

export const webhookFormSchema = settings.extend({ branchId: branchOrAny });
export type WebhookForm = z.input<typeof webhookFormSchema>;
