import { randomInt } from "node:crypto";
import { audit, difference } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { branchNotFound, mapUniqueViolation } from "@/lib/db/query";
import { merchantWhere, type Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { BRANCH_REF, MERCHANT_REF } from "@/lib/domain/localized-names";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import { macOf } from "@/lib/secrets/secrets";
import {
  createTillSchema,
  PAIRING_SECONDS,
  type Till,
  type TillWithCode,
  tillsSchema,
  updateTillSchema,
} from "./model/till";

export const tillSelect = {
  id: true,
  name: true,
  pairedAt: true,
  retiredAt: true,
  createdAt: true,
  pinLockedAt: true,
  branch: { select: { ...BRANCH_REF, merchant: { select: MERCHANT_REF } } },
  sessions: {
    orderBy: { lastSeenAt: "desc" },
    take: 1,
    select: { lastSeenAt: true, user: { select: { firstName: true, lastName: true } } },
  },
} as const satisfies Prisma.TillSelect;

type Row = Prisma.TillGetPayload<{ select: typeof tillSelect }>;

export function tillFrom({ branch: { merchant, ...branch }, sessions: [last], ...row }: Row): Till {
  return {
    ...row,
    branch,
    merchant,
    lastContact: last ? { at: last.lastSeenAt, by: `${last.user.firstName} ${last.user.lastName}` } : null,
  };
}

async function findTill(db: Db | Tx, id: string, reach: Reach): Promise<Row> {
  const row = await db.till.findFirst({ where: { id, ...merchantWhere(reach) }, select: tillSelect });
  if (!row) throw new DomainError("till_not_found");
  return row;
}

/** One till in the caller's scope. Throws till_not_found. */
export const getTill = operation({
  permission: "tills.manage",
  input: byIdSchema,
  errors: ["till_not_found"],
  readOnly: true,
  run: async (ctx, { id }): Promise<Till> => tillFrom(await findTill(ctx.db, id, ctx.reach)),
});

const STATES = { in_use: { retiredAt: null }, retired: { retiredAt: { not: null } }, all: {} } as const;

/** A page of the tills in the caller's scope, newest first: those in use unless asked for others. */
export const listTills = operation({
  permission: "tills.manage",
  input: tillsSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<Till>> => {
    const { branchId, merchantId, state } = query;
    const rows = await ctx.db.till.findMany({
      // Scope and filter are separate conditions, so that the filter cannot widen the scope.
      where: { AND: [merchantWhere(ctx.reach), { branchId, merchantId }, STATES[state]] },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      select: tillSelect,
      ...pageArgs(query),
    });
    return pageOf(rows, query, tillFrom);
  },
});

/** The stored hash of a pairing code. It has a key, since eight digits could be found by brute force in a leaked table. */
export const pairingHash = (code: string): string => macOf("pairing-codes", code).toString("hex");

function newPairing(now: Date) {
  const pairingCode = String(randomInt(100_000_000)).padStart(8, "0");
  const pairingExpiresAt = new Date(now.getTime() + PAIRING_SECONDS * 1000);
  const stored = { pairingHash: pairingHash(pairingCode), pairingExpiresAt };
  return { shown: { pairingCode, pairingExpiresAt }, stored };
}

/** The merchant of an open branch in this scope, locked until the transaction ends. Throws branch_not_found. */
async function merchantOfBranch(tx: Tx, branchId: string, merchantId: string | undefined): Promise<string> {
  const [row] = await tx.$queryRaw<{ merchantId: string }[]>`
    select merchant_id::text as "merchantId" from branches
    where id = ${branchId}::uuid and archived_at is null for share`;
  if (row && (merchantId === undefined || merchantId === row.merchantId)) return row.merchantId;
  throw branchNotFound();
}

/** Creates a till at an open branch. Its pairing code, good once for ten minutes, is in this answer only. */
export const createTill = operation({
  permission: "tills.manage",
  input: createTillSchema,
  errors: ["branch_not_found", "till_name_taken"],
  run: async (ctx, { branchId, name }): Promise<TillWithCode> => {
    const { shown, stored } = newPairing(ctx.clock());
    return mapUniqueViolation("till_name_taken", "name", () =>
      ctx.db.$transaction(async (tx) => {
        const merchantId = await merchantOfBranch(tx, branchId, merchantWhere(ctx.reach).merchantId);
        const data = { merchantId, branchId, name, ...stored };
        const row = await tx.till.create({ data, select: tillSelect });
        const after = { name, branchId };
        await audit(tx, ctx, { merchantId, action: "till.created", entity: "till", entityId: row.id, after });
        return { ...tillFrom(row), ...shown };
      }),
    );
  },
});

/** The till, locked against its postings and other changes. Throws till_not_found. */
async function lockTill(tx: Tx, id: string, reach: Reach) {
  await tx.$queryRaw`select 1 from tills where id = ${id}::uuid for update`;
  return findTill(tx, id, reach);
}

/** Renames or moves a till in use, opens its PIN sign-in, or makes another pairing code, which the answer carries. */
export const updateTill = operation({
  permission: "tills.manage",
  input: updateTillSchema,
  errors: ["till_not_found", "till_retired", "branch_not_found", "till_name_taken"],
  run: async (ctx, input): Promise<Till | TillWithCode> => {
    const { id, name, branchId, pinLocked, newCode } = input;
    const pairing = newCode ? newPairing(ctx.clock()) : null;
    return mapUniqueViolation("till_name_taken", "name", () =>
      ctx.db.$transaction(async (tx) => {
        const before = await lockTill(tx, id, ctx.reach);
        if (before.retiredAt !== null) throw new DomainError("till_retired");
        const merchantId = before.branch.merchant.id;
        if (branchId) await merchantOfBranch(tx, branchId, merchantId);
        const opened = pinLocked === false ? { pinLockedAt: null, pinTries: [] } : {};
        if (pinLocked === false) await tx.pinTries.deleteMany({ where: { tillId: id } });
        const row = await tx.till.update({
          where: { id },
          data: { name, branchId, ...opened, ...pairing?.stored },
          select: tillSelect,
        });
        const about = { merchantId, entity: "till", entityId: id } as const;
        const changed = difference({ name: before.name, branchId: before.branch.id }, { name, branchId });
        if (changed) await audit(tx, ctx, { ...about, action: "till.changed", ...changed });
        if (pinLocked === false && before.pinLockedAt !== null)
          await audit(tx, ctx, { ...about, action: "till.pin_opened" });
        if (pairing) await audit(tx, ctx, { ...about, action: "till.code" });
        return { ...tillFrom(row), ...pairing?.shown };
      }),
    );
  },
});

/**
 * Retires a till: its sessions end and it posts nothing any more. For 30 days its key may still send what it kept, which goes
 * to the inbox. Throws shift_open until its drawer is counted. A retired till stays as it is.
 */
export const retireTill = operation({
  permission: "tills.manage",
  input: byIdSchema,
  errors: ["till_not_found", "shift_open"],
  run: async (ctx, { id }): Promise<Till> =>
    ctx.db.$transaction(async (tx) => {
      // Postings and openings on this till end first.
      const till = await lockTill(tx, id, ctx.reach);
      if (till.retiredAt !== null) return tillFrom(till);
      if ((await tx.shift.count({ where: { tillId: id, closedAt: null } })) > 0)
        throw new DomainError("shift_open");
      const now = ctx.clock();
      const data = { retiredAt: now, pairingHash: null, pairingExpiresAt: null };
      const retired = await tx.till.update({ where: { id }, data, select: tillSelect });
      await tx.session.updateMany({ where: { tillId: id, revokedAt: null }, data: { revokedAt: now } });
      const about = { merchantId: till.branch.merchant.id, entity: "till", entityId: id } as const;
      await audit(tx, ctx, { ...about, action: "till.retired" });
      return tillFrom(retired);
    }),
});
