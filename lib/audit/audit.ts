import { z } from "zod";
import { parseUserAgent } from "@/lib/accounts/model/account";
import { AUDIT_ACTIONS, AUDIT_ENTITIES } from "@/lib/activity/model";
import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { primaryOf } from "@/lib/db/replica";
import type {
  Actor,
  CardHolderActor,
  Reach,
  StaffActor,
  SystemActor,
  TillActor,
  UserActor,
} from "@/lib/domain/actor";

/** Within so many seconds the openings of a customer by one user, or by one API key, are one entry. */
const SLOT_SECONDS = { user: 5 * 60, apiKey: 60 * 60 };

/** Writes down that the actor opened a customer, once in SLOT_SECONDS; committed when this resolves. */
export async function recordOpening(
  ctx: Context<StaffActor>,
  customer: { id: string; merchantId: string },
): Promise<void> {
  const { actor } = ctx;
  const by = actor.type === "user" ? actor.userId : actor.keyId;
  const slot = Math.floor(Date.now() / 1000 / SLOT_SECONDS[actor.type]);
  const once = `opening:${by}:${customer.id}:${slot}`;
  await auditCustomer(ctx.db, ctx, customer, { action: "opening.customer", once });
}

type AuditActor =
  | Pick<UserActor, "type" | "userId">
  | Pick<Extract<Actor, { type: "apiKey" }>, "type" | "keyId">
  | Pick<CardHolderActor, "type" | "customerId">
  | SystemActor
  | TillActor
  | null;

/** The part of the operation's context that an entry stores: who acted, and from where. A job has no address. */
export type AuditContext = { actor: AuditActor; address?: string; userAgent?: string | null };

// Nothing under these names is ever written down.
const SECRET = /password|passphrase|secret|token|hash|salt|cookie|^(code|pin|otp|key)$/i;

function holdsSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => SECRET.test(name) || holdsSecret(inner));
}

const details = z
  .record(z.string(), z.json().optional())
  .refine((values) => !holdsSecret(values), "an audit entry holds no secrets");

const auditSchema = z.strictObject({
  merchantId: z.guid().nullable(),
  action: z.enum(AUDIT_ACTIONS),
  entity: z.enum(AUDIT_ENTITIES),
  entityId: z.guid().optional(),
  before: details.optional(),
  after: details.optional(),
  /** An entry with the same key is written once. */
  once: z.string().max(200).optional(),
});
export type AuditEntry = z.input<typeof auditSchema>;

/** The columns of an actor. All are absent for a stranger. */
function actorColumns(actor: AuditActor): Record<string, string> {
  switch (actor?.type) {
    case "user":
      return { actorType: "user", actorId: actor.userId };
    case "apiKey":
      return { actorType: "api_key", apiKeyId: actor.keyId };
    case "cardHolder":
      return { actorType: "card_holder", customerId: actor.customerId };
    case "system":
      return { actorType: "system", job: actor.job };
    // A till acts for its cashier; without one it counts as a stranger.
    case "till":
    case undefined:
      return {};
  }
}

function storedOf({ actor, address, userAgent }: AuditContext, entry: AuditEntry) {
  const { browser, system } = parseUserAgent(userAgent ?? null);
  const device = [browser, system].filter(Boolean).join(" on ") || undefined;
  return { ...auditSchema.parse(entry), ...actorColumns(actor), address, device };
}

/**
 * Writes an audit entry, in the transaction of its change where there is one; false for a known `once`. It is the only writer
 * of audits. Throws a ZodError for an invalid entry or one with a secret in it, which is a bug of the caller.
 */
export async function audit(tx: Db | Tx, ctx: AuditContext, entry: AuditEntry): Promise<boolean> {
  const given = storedOf(ctx, entry);
  const [row] = await tx.$queryRaw<{ id: string | null }[]>`
    select write_audit(${JSON.stringify(given)}::jsonb)::text as id`;
  return Boolean(row?.id);
}

const auditAbout =
  (entity: "user" | "customer" | "branch") =>
  (
    tx: Db | Tx,
    ctx: AuditContext,
    { id, merchantId }: { id: string; merchantId: string | null },
    entry: Pick<AuditEntry, "action" | "before" | "after" | "once">,
  ): Promise<boolean> =>
    audit(tx, ctx, { ...entry, merchantId, entity, entityId: id });

/** Writes an audit entry about a user of the staff, a customer, a branch or a merchant. Answers and throws as `audit` does. */
export const auditUser = auditAbout("user");
export const auditCustomer = auditAbout("customer");
export const auditBranch = auditAbout("branch");
export const auditMerchant = (
  tx: Db | Tx,
  ctx: AuditContext,
  merchantId: string,
  entry: Pick<AuditEntry, "action" | "before" | "after">,
): Promise<boolean> => audit(tx, ctx, { ...entry, merchantId, entity: "merchant", entityId: merchantId });

/** Writes audit entries in one statement. Throws as `audit` does. */
export async function auditAll(tx: Db | Tx, ctx: AuditContext, entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const given = entries.map((entry) => storedOf(ctx, entry));
  await tx.$queryRaw`
    select count(write_audit(entry))::int from jsonb_array_elements(${JSON.stringify(given)}::jsonb) entry`;
}

/** Erases the values of the entries about an erased customer. The entries themselves stay. */
export async function eraseAuditTexts(tx: Tx, customerId: string): Promise<void> {
  await tx.$queryRaw`select erase_audit_texts(${customerId}::uuid)::text`;
}

/** The record of an entry about a merchant, or about the platform (null). */
export const merchantOrPlatform = (merchantId: string | null) =>
  merchantId
    ? ({ merchantId, entity: "merchant", entityId: merchantId } as const)
    : ({ merchantId, entity: "platform" } as const);

type Values = Record<string, unknown>;

/** The fields of `given` that differ from the values before, as the before and after of an entry; null without any. */
export function difference<T extends Values>(
  before: T,
  given: Partial<T>,
): Pick<AuditEntry, "before" | "after"> | null {
  const changed = Object.keys(given).filter(
    (name) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(before[name]),
  );
  if (changed.length === 0) return null;
  const pick = (values: Values) =>
    details.parse(Object.fromEntries(changed.map((name) => [name, values[name] ?? null])));
  return { before: pick(before), after: pick(given) };
}

/**
 * Writes down an export with its filter, before its first line is read. An export of all merchants names none. Of a
 * search it keeps only that there was one: its text may be a customer's name, which deleting the card could not find.
 */
export async function auditExport(
  ctx: AuditContext & { db: Db; reach: Reach },
  action: Extract<AuditEntry["action"], `export.${string}`>,
  filter: { merchantId?: string | undefined; [name: string]: string | number | boolean | undefined },
): Promise<void> {
  const { search, ...kept } = filter;
  const after = search ? { ...kept, searched: true } : kept;
  const merchantId = ctx.reach.scope === "any" ? (filter.merchantId ?? null) : ctx.reach.merchantId;
  await audit(primaryOf(ctx.db), ctx, { ...merchantOrPlatform(merchantId), action, after });
}
