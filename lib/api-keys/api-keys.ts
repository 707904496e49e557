import { type AuditEntry, audit, difference } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { assertBranch, assertMerchant } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import {
  merchantWhere,
  ownersNameOf,
  type Reach,
  type StaffActor,
  targetMerchantId,
} from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { KEY_SCOPES } from "@/lib/domain/key-scopes";
import { BRANCH_REF, MERCHANT_REF } from "@/lib/domain/localized-names";
import { isAdministrator } from "@/lib/domain/roles";
import { mailOwners } from "@/lib/email/queue";
import type { TemplateParams } from "@/lib/email/render";
import { env } from "@/lib/env";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import { flushKeyUse, isKeySecret, keyHash, newKeySecret } from "./find-key";
import {
  apiKeysSchema,
  createApiKeySchema,
  type KeyState,
  leakedKeySchema,
  OVERLAP_HOURS,
  updateApiKeySchema,
} from "./model";
import type { ApiKey, ApiKeyWithSecret } from "./names";

const DAY_MS = 24 * 60 * 60 * 1000;

const keySelect = (now: Date) =>
  ({
    id: true,
    name: true,
    scopes: true,
    addresses: true,
    maxPointsOne: true,
    maxPointsDay: true,
    maxHoldSeconds: true,
    staffCards: true,
    createdAt: true,
    lastUsedAt: true,
    revokedAt: true,
    merchant: { select: MERCHANT_REF },
    branch: { select: BRANCH_REF },
    createdBy: { select: { id: true, firstName: true, lastName: true, role: true } },
    secrets: {
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: 2,
      select: { prefix: true, endsAt: true },
    },
    uses: { where: { hour: { gt: new Date(now.getTime() - DAY_MS) } }, select: { requests: true } },
  }) as const satisfies Prisma.ApiKeySelect;

type Row = Prisma.ApiKeyGetPayload<{ select: ReturnType<typeof keySelect> }>;

function keyFrom({ secrets, uses, createdBy, scopes, ...row }: Row, now: Date): ApiKey {
  const [newest, older] = secrets;
  const olderEndsAt = older?.endsAt && older.endsAt > now && !row.revokedAt ? older.endsAt : null;
  const state: KeyState = row.revokedAt ? "revoked" : olderEndsAt ? "rotating" : "active";
  const { id, firstName, lastName, role } = createdBy;
  return {
    ...row,
    scopes: KEY_SCOPES.filter((scope) => scopes.includes(scope)),
    prefix: newest?.prefix ?? "",
    state,
    olderEndsAt,
    createdBy: isAdministrator(role) ? null : { id, name: `${firstName} ${lastName}` },
    callsOfDay: uses.reduce((sum, { requests }) => sum + requests, 0),
  };
}

const STATES = { in_use: { revokedAt: null }, revoked: { revokedAt: { not: null } }, all: {} } as const;

/** A page of the API keys in the caller's scope, newest first: those in use unless asked for others. */
export const listApiKeys = operation({
  permission: "apiKeys.manage",
  input: apiKeysSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<ApiKey>> => {
    const { merchantId, state } = query;
    const now = ctx.clock();
    const rows = await ctx.db.apiKey.findMany({
      // Scope and filter are separate conditions, so that the filter cannot widen the scope.
      where: { AND: [merchantWhere(ctx.reach), { merchantId }, STATES[state]] },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      select: keySelect(now),
      ...pageArgs(query),
    });
    return pageOf(rows, query, (row) => keyFrom(row, now));
  },
});

/** The key within reach, locked against other changes of it; its captures do not wait. Throws api_key_not_found. */
async function lockKey(tx: Tx, id: string, reach: Reach) {
  await tx.$queryRaw`select 1 from api_keys where id = ${id}::uuid for no key update`;
  const key = await tx.apiKey.findFirst({ where: { id, ...merchantWhere(reach) } });
  if (!key) throw new DomainError("api_key_not_found");
  return key;
}

/** A locked key that is not revoked. Throws api_key_not_found, key_revoked. */
async function lockOpenKey(tx: Tx, id: string, reach: Reach) {
  const key = await lockKey(tx, id, reach);
  if (key.revokedAt) throw new DomainError("key_revoked");
  return key;
}

async function readKey(tx: Tx, id: string, now: Date): Promise<ApiKey> {
  return keyFrom(await tx.apiKey.findUniqueOrThrow({ where: { id }, select: keySelect(now) }), now);
}

const pageUrl = () => `${env().APP_URL}/merchant/settings/integrations`;

/** Writes down what became of a key, and e-mails it to the merchant's owners. Answers the key. */
async function report(
  tx: Tx,
  ctx: Context<StaffActor | null>,
  { id, merchantId }: { id: string; merchantId: string },
  change: TemplateParams["api_key_changed"]["change"],
  values: Pick<AuditEntry, "before" | "after"> = {},
): Promise<ApiKey> {
  await audit(tx, ctx, { merchantId, action: `key.${change}`, entity: "apiKey", entityId: id, ...values });
  const at = ctx.clock();
  const key = await readKey(tx, id, at);
  const person = ownersNameOf(ctx.actor);
  const about = { key: key.name, prefix: key.prefix, change, person, at, url: pageUrl() };
  await mailOwners(tx, merchantId, "api_key_changed", ({ name }) => ({ ...about, name }));
  return key;
}

/** Makes an API key. Only this answer has its secret. */
export const createApiKey = operation({
  permission: "apiKeys.manage",
  input: createApiKeySchema,
  errors: ["branch_not_found", "merchant_not_found"],
  stepUp: true,
  run: async (ctx, { merchantId: named, ...given }): Promise<ApiKeyWithSecret> => {
    const merchantId = targetMerchantId(ctx.reach, named);
    const { secret, ...kept } = newKeySecret();
    return ctx.db.$transaction(async (tx) => {
      await assertMerchant(tx, merchantId);
      await assertBranch(tx, given.branchId, { merchantId, archivedAt: null });
      const made = await tx.apiKey.create({
        data: { ...given, merchantId, createdById: ctx.actor.userId, secrets: { create: kept } },
        select: { id: true, merchantId: true },
      });
      return { ...(await report(tx, ctx, made, "created", { after: given })), secret };
    });
  },
});

/** Changes a key's settings from its next request on. What is left out stays. */
export const updateApiKey = operation({
  permission: "apiKeys.manage",
  input: updateApiKeySchema,
  errors: ["api_key_not_found", "key_revoked", "branch_not_found"],
  stepUp: true,
  run: async (ctx, { id, ...given }): Promise<ApiKey> =>
    ctx.db.$transaction(async (tx) => {
      const before = await lockOpenKey(tx, id, ctx.reach);
      await assertBranch(tx, given.branchId, { merchantId: before.merchantId, archivedAt: null });
      await tx.apiKey.update({ where: { id }, data: given, select: { id: true } });
      const changed = difference(before, given);
      return changed ? report(tx, ctx, before, "changed", changed) : readKey(tx, id, ctx.clock());
    }),
});

/** Gives a key a second secret; the first is good for 24 hours. */
export const rotateApiKey = operation({
  permission: "apiKeys.manage",
  input: byIdSchema,
  errors: ["api_key_not_found", "key_revoked", "key_rotating"],
  stepUp: true,
  run: async (ctx, { id }): Promise<ApiKeyWithSecret> => {
    const { secret, ...kept } = newKeySecret();
    return ctx.db.$transaction(async (tx) => {
      const key = await lockOpenKey(tx, id, ctx.reach);
      const now = ctx.clock();
      const own = { apiKeyId: id };
      if ((await tx.apiKeySecret.count({ where: { ...own, endsAt: { gt: now } } })) > 0)
        throw new DomainError("key_rotating");
      const endsAt = new Date(now.getTime() + OVERLAP_HOURS * 60 * 60 * 1000);
      await tx.apiKeySecret.updateMany({ where: { ...own, endsAt: null }, data: { endsAt } });
      await tx.apiKeySecret.create({ data: { ...own, ...kept }, select: { id: true } });
      return { ...(await report(tx, ctx, key, "rotated")), secret };
    });
  },
});

/** Ends a locked key, and its open holds within ten minutes. */
async function revoke(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.apiKey.update({ where: { id }, data: { revokedAt: now }, select: { id: true } });
  await tx.$queryRaw`select shorten_holds(${id}::uuid, ${now}::timestamptz)::text`;
}

/** Revokes a key: its next request is refused, in every process. A revoked key stays as it is. Throws api_key_not_found. */
export const revokeApiKey = operation({
  permission: "apiKeys.manage",
  input: byIdSchema,
  errors: ["api_key_not_found"],
  stepUp: true,
  run: async (ctx, { id }): Promise<ApiKey> =>
    ctx.db.$transaction(async (tx) => {
      const key = await lockKey(tx, id, ctx.reach);
      const now = ctx.clock();
      if (key.revokedAt) return readKey(tx, id, now);
      await revoke(tx, id, now);
      return report(tx, ctx, key, "revoked");
    }),
});

/** Anybody may call it: an address revokes so many keys in an hour. */
const LEAKS: GuardLimit = { name: "leaked-keys", points: 30, seconds: 3_600 };

/**
 * Revokes a key by a good secret of it, for whoever finds one, and e-mails the owners what it did in the last 24 hours. The
 * answer is the same for any other text; whoever kept a secret that a rotation has ended must not stop the shop.
 */
export const revokeLeakedKey = operation({
  permission: "public",
  keyScope: "any",
  input: leakedKeySchema,
  run: async (ctx, { secret }): Promise<void> => {
    await consume(ctx.db, LEAKS, ctx.address);
    if (!isKeySecret(secret)) return;
    const isGood = { OR: [{ endsAt: null }, { endsAt: { gt: ctx.clock() } }] };
    const found = await ctx.db.apiKeySecret.findUnique({
      where: { hash: keyHash(secret), ...isGood },
      select: { apiKeyId: true },
    });
    if (!found) return;
    await flushKeyUse(ctx.db, found.apiKeyId);
    await ctx.db.$transaction(async (tx) => {
      const { id, merchantId, revokedAt } = await lockKey(tx, found.apiKeyId, { scope: "any" });
      if (revokedAt) return;
      const now = ctx.clock();
      await revoke(tx, id, now);
      // The finder is not named: their own session says nothing about the key.
      const stranger = { ...ctx, actor: null };
      await audit(tx, stranger, { merchantId, action: "key.leaked", entity: "apiKey", entityId: id });
      const { name: key, prefix, callsOfDay: requests } = await readKey(tx, id, now);
      const movements = await tx.$queryRaw<TemplateParams["api_key_leaked"]["movements"]>`
        select type::text as type, count(*)::int as count, sum(abs(points))::float8 as points from movements
        where api_key_id = ${id}::uuid and created_at > now() - interval '24 hours' group by 1 order by 1`;
      const about = { key, prefix, at: now, requests, movements, url: pageUrl() };
      await mailOwners(tx, merchantId, "api_key_leaked", ({ name }) => ({ ...about, name }));
    });
  },
});
