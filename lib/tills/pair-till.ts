import { calculateJwkThumbprint } from "jose";
import { audit } from "@/lib/audit/audit";
import type { PublicContext } from "@/lib/db/context";
import { mapUniqueViolation } from "@/lib/db/query";
import { consume, type GuardLimit, returnAttempt } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { noteGroundOf } from "@/lib/files/note";
import { operation, provedTill } from "@/lib/operations/operation";
import { lastNumber } from "./judge-entry";
import { pairTillSchema, type Till } from "./model/till";
import { pairingHash, tillFrom, tillSelect } from "./tills";

const QUARTER = 15 * 60;
const HOUR = 60 * 60;
// A wrong guess names no code, so each code is guarded by what all callers together may guess while it lives.
const PER_ADDRESS: GuardLimit = { name: "pairing-address", points: 10, seconds: QUARTER };
const OF_STRANGERS: GuardLimit = { name: "pairing-strangers", points: 1000, seconds: HOUR };
// A browser that signed in or registered before has a budget that strangers do not share; such browsers are easily had, too.
const PER_DEVICE: GuardLimit = { name: "pairing-device", points: 10, seconds: QUARTER };
const OF_DEVICES: GuardLimit = { name: "pairing-devices", points: 1000, seconds: HOUR };
// A signed-in user reaches only the codes of the own merchant, so that nobody else can shut this user out.
const PER_USER: GuardLimit = { name: "pairing-user", points: 10, seconds: QUARTER };

function limitsOf({ actor, device, address }: PublicContext): [GuardLimit, string][] {
  if (actor?.merchantId) return [[PER_USER, actor.userId]];
  const [own, together] = device ? [PER_DEVICE, OF_DEVICES] : [PER_ADDRESS, OF_STRANGERS];
  return [
    [own, device?.id ?? address],
    [together, "all"],
  ];
}

/**
 * Pairs a browser with a till by its code and public key, which proves the till from then on and replaces an older one. Throws
 * code_invalid, till_paired for a key that another till has or that was replaced before, rate_limited.
 */
export const pairTill = operation({
  permission: "public",
  input: pairTillSchema,
  errors: ["code_invalid", "till_paired"],
  run: async (ctx, { pairingCode, publicKey }): Promise<Till> => {
    const { db } = ctx;
    const limits = limitsOf(ctx);
    for (const [limit, key] of limits) await consume(db, limit, key);
    // Undefined for an administrator and for nobody signed in: a code of any merchant.
    const only = ctx.actor?.merchantId ?? undefined;
    const now = ctx.clock();
    const thumbprint = await calculateJwkThumbprint(publicKey);
    const till = await mapUniqueViolation("till_paired", "publicKey", () =>
      db.$transaction(async (tx) => {
        const hash = pairingHash(pairingCode);
        // Locks the till: a sync by the old key has either finished, or is treated as one by a former key.
        const [before] = await tx.$queryRaw<{ id: string; thumbprint: string | null; publicKey: object }[]>`
        select id::text, thumbprint, public_key as "publicKey" from tills where pairing_hash = ${hash} for update`;
        // The where decides: of two that send one code, the first pairs.
        const [paired] = await tx.till.updateManyAndReturn({
          where: { pairingHash: hash, pairingExpiresAt: { gt: now }, retiredAt: null, merchantId: only },
          data: { publicKey, thumbprint, pairedAt: now, pairingHash: null, pairingExpiresAt: null },
          select: { id: true, merchantId: true },
        });
        const problem = { path: "pairingCode", message: "errors.code_invalid" };
        if (!before || !paired) throw new DomainError("code_invalid", {}, [problem]);
        const { id, merchantId } = paired;
        if (before.thumbprint !== null && before.thumbprint !== thumbprint) {
          const former = { thumbprint: before.thumbprint, publicKey: before.publicKey };
          await tx.tillFormerKey.create({ data: { ...former, tillId: id, replacedAt: now } });
        }
        // A replaced key, which may have been lost, is never accepted again.
        if (await tx.tillFormerKey.findUnique({ where: { thumbprint } }))
          throw new DomainError("till_paired");
        // Sessions that the old key opened end with it.
        await tx.session.updateMany({ where: { tillId: id, revokedAt: null }, data: { revokedAt: now } });
        const about = { merchantId, entity: "till", entityId: id } as const;
        await audit(tx, { ...ctx, actor: null }, { ...about, action: "till.paired" });
        return tillFrom(await tx.till.findUniqueOrThrow({ where: { id }, select: tillSelect }));
      }),
    );
    // A right code was no guess.
    for (const [limit, key] of limits) await returnAttempt(db, limit, key);
    return till;
  },
});

/** The proving till, its open shift (without money), the workers of its branch and the settings that its counter needs. */
export const ownTill = operation({
  permission: "till.own",
  input: nothingSchema,
  readOnly: true,
  needsTill: "in_use",
  actorFrom: provedTill,
  run: async (ctx) => {
    const { tillId, merchantId } = ctx.actor;
    const row = await ctx.db.till.findUniqueOrThrow({ where: { id: tillId }, select: tillSelect });
    const [shift, workers, merchant, last] = await Promise.all([
      ctx.db.shift.findFirst({ where: { tillId, closedAt: null } }),
      ctx.db.user.findMany({
        where: { merchantId, branchId: row.branch.id, role: "branch_worker", status: "active" },
        orderBy: [{ firstName: "asc" }, { lastName: "asc" }, { id: "asc" }],
        select: { id: true, firstName: true, lastName: true, pin: { select: { userId: true } } },
      }),
      ctx.db.merchant.findUniqueOrThrow({
        where: { id: merchantId },
        select: {
          idleLockMinutes: true,
          refundDays: true,
          tenders: true,
          offlineMaxTopUp: true,
          offlineMaxTotal: true,
          id: true,
          publicId: true,
          imageKey: true,
          logoKey: true,
          colour: true,
        },
      }),
      // A browser that is paired again goes on after the number of the one before: none is used twice.
      lastNumber(ctx.db, tillId, null),
    ]);
    return {
      ...merchant,
      ...tillFrom(row),
      merchantPublicId: merchant.publicId,
      note: await noteGroundOf(ctx.db, merchant),
      shift: shift && { id: shift.id, number: shift.period, openedAt: shift.openedAt },
      workers: workers.map(({ pin, ...worker }) => ({ ...worker, hasPin: pin !== null })),
      maxTopUp: merchant.offlineMaxTopUp,
      maxTotal: merchant.offlineMaxTotal,
      nextEntry: last + 1,
    };
  },
});
