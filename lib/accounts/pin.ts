import { hash, verify } from "@node-rs/argon2";
import { type AuditContext, audit, auditUser } from "@/lib/audit/audit";
import { giveNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import { type Context, givenTime } from "@/lib/db/context";
import { firstOfHour } from "@/lib/db/rate-limit";
import { merchantWhere, type TillActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema, nothingSchema } from "@/lib/domain/ids";
import { branchName } from "@/lib/domain/localized-names";
import type { Locale } from "@/lib/domain/roles";
import { MAILED_USER, type MailedUser, mailOwners, mailUser } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { operation, provedTill } from "@/lib/operations/operation";
import { acceptedMacs, entryKey, macOf } from "@/lib/secrets/secrets";
import { isWeakPin, pinSignInSchema, setPinSchema } from "@/lib/tills/model/till";
import { auditRefusal, confirmPassword } from "./attempts";
import { ARGON_COST } from "./password";
import { endPinSessions } from "./session";
import { type LoggedIn, loggedIn, openSignedIn } from "./sign-in";

// A million PINs would be tried at once in a leaked table without it.
const PEPPER = "pepper of PINs";
/** How long a client should wait while only the owner can open PIN sign-in again, in seconds. */
const CLOSED_SECONDS = 60 * 60;

const hashPin = (pin: string): Promise<string> => hash(pin, { ...ARGON_COST, secret: macOf("pin", PEPPER) });

/** A new PIN as it is stored. Throws weak_pin. */
export async function hashNewPin(pin: string): Promise<string> {
  if (isWeakPin(pin)) throw new DomainError("weak_pin", {}, [{ path: "pin", message: "errors.weak_pin" }]);
  return hashPin(pin);
}

/** Stores an employee's PIN, ends the sessions that the one before opened, and mails that it was set. */
export async function storePin(
  tx: Tx,
  ctx: AuditContext & { locale: Locale },
  user: MailedUser & { id: string },
  set: { pinHash: string; setAt: Date },
): Promise<void> {
  const userId = user.id;
  await tx.workerPin.upsert({ where: { userId }, create: { userId, ...set }, update: set });
  const after = { sessions: await endPinSessions(tx, userId, set.setAt) };
  await auditUser(tx, ctx, user, { action: "worker.pin", after });
  await mailUser(tx, ctx, user, "pin_set", { at: set.setAt, url: `${env().APP_URL}/forgot-password` });
}

let decoy: Promise<string> | undefined;

/** Whether the PIN is right, under the present pepper or that of before a rotation; as slow where there is none. */
async function pinMatches(pinHash: string | undefined, pin: string): Promise<boolean> {
  decoy ??= hashPin("no worker has this PIN");
  const stored = pinHash ?? (await decoy);
  for (const secret of acceptedMacs("pin", PEPPER)) {
    if (await verify(stored, pin, { secret })) return pinHash !== undefined;
  }
  return false;
}

/** Sets the worker's PIN. Throws wrong_password also when the password changes meanwhile, weak_pin, rate_limited. */
export const setPin = operation({
  permission: "pin.own",
  input: setPinSchema,
  errors: ["wrong_password", "weak_pin"],
  run: async (ctx, { password, pin }): Promise<{ done: true }> => {
    const { userId } = ctx.actor;
    const passwordHash = await confirmPassword(ctx, password);
    const set = { pinHash: await hashNewPin(pin), setAt: ctx.clock() };
    await ctx.db.$transaction(async (tx) => {
      // The lock puts a new password before this, which then refuses, or after it.
      const [unchanged] = await tx.$queryRaw<unknown[]>`
      select 1 from users where id = ${userId}::uuid and password_hash = ${passwordHash} for share`;
      if (!unchanged)
        throw new DomainError("wrong_password", {}, [{ path: "password", message: "errors.wrong_password" }]);
      await storePin(tx, ctx, { ...ctx.actor, id: userId }, set);
    });
    return { done: true };
  },
});

/** Removes an employee's PIN, ends its sessions, and mails the employee, who alone can set a new one. */
export const removeWorkerPin = operation({
  permission: "workers.manage",
  input: byIdSchema,
  errors: ["worker_not_found"],
  run: async (ctx, { id }): Promise<{ removed: boolean }> => {
    const where = { id, role: "branch_worker", ...merchantWhere(ctx.reach) } as const;
    return ctx.db.$transaction(async (tx) => {
      const { count } = await tx.workerPin.deleteMany({ where: { user: where } });
      const worker = await tx.user.findFirst({ where, select: { id: true, ...MAILED_USER } });
      if (!worker) throw new DomainError("worker_not_found");
      if (count === 0) return { removed: false };
      const at = ctx.clock();
      const after = { sessions: await endPinSessions(tx, id, at) };
      await auditUser(tx, ctx, worker, { action: "worker.pin_removed", after });
      await mailUser(tx, ctx, worker, "pin_removed", { at, url: `${env().APP_URL}/employee/account` });
      return { removed: true };
    });
  },
});

/** Whether the user has a PIN for the tills. */
export const hasPin = operation({
  permission: "account.own",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<boolean> =>
    (await ctx.db.workerPin.count({ where: { userId: ctx.actor.userId } })) > 0,
});

type Try = {
  state: "taken" | "last" | "last_here" | "locked" | "closed";
  seconds: number | null;
  takenAt: string;
};

/** Takes a try before the PIN is looked at. Throws rate_limited while the worker's PIN or all PINs are locked here. */
async function takeTry(ctx: Context<TillActor>, workerId: string | null): Promise<Try> {
  const [taken] = await ctx.db.$queryRaw<Try[]>`
    select state, seconds, taken_at::text as "takenAt"
    from take_pin_try(${ctx.actor.tillId}::uuid, ${workerId}::uuid, ${givenTime(ctx)}::timestamptz)`;
  if (!taken) throw new DomainError("internal");
  if (taken.state === "locked")
    throw new DomainError("rate_limited", { seconds: taken.seconds ?? 1, limit: 5 });
  if (taken.state === "closed") throw new DomainError("rate_limited", { seconds: CLOSED_SECONDS, limit: 20 });
  return taken;
}

async function recordWrongPin(ctx: Context<TillActor>, workerId: string | null): Promise<void> {
  const { tillId, merchantId } = ctx.actor;
  const stranger = { ...ctx, actor: null };
  if (workerId) return auditRefusal(stranger, { id: workerId, merchantId }, "pin");
  const about = { merchantId, entity: "till", entityId: tillId } as const;
  await audit(ctx.db, stranger, { action: "session.refused", ...about, after: { reason: "pin" } });
}

/** Tells the owners of the till's merchant that PINs are locked, by e-mail at most once an hour, and writes it down. */
async function reportLock(
  ctx: Context<TillActor>,
  here: boolean,
  known: { id: string; firstName: string; lastName: string } | null,
): Promise<void> {
  const { tillId, merchantId } = ctx.actor;
  const worker = known ? `${known.firstName} ${known.lastName}` : "";
  await ctx.db.$transaction(async (tx) => {
    const till = await tx.till.findUniqueOrThrow({
      where: { id: tillId },
      select: { name: true, branch: { select: { name: true, nameAr: true } } },
    });
    // The notice and the entry below tell of each lock, the e-mail of the first in an hour.
    const mailed = await firstOfHour(tx, `${tillId}:${here ? "all" : (known?.id ?? "unknown")}`);
    const kind = here ? "till_pins_locked" : "worker_pin_locked";
    const about = { worker, till: till.name, at: ctx.clock(), url: `${env().APP_URL}/merchant/tills` };
    if (mailed) {
      await mailOwners(tx, merchantId, kind, ({ name, locale }) => {
        return { ...about, name, branch: branchName(till.branch, locale) };
      });
    }
    await giveNotice(tx, { kind, merchantId, tillId, userId: known?.id ?? null });
    const record = { merchantId, entity: "till", entityId: tillId, after: { worker, here } } as const;
    await audit(tx, { ...ctx, actor: null }, { action: "till.pin_locked", ...record });
  });
}

/** A session that a PIN opened, with the key (base64url) under which its browser keeps entries. */
export type PinSession = LoggedIn & { entryKey: string };

/**
 * Opens a session of a worker on the proving till, which only serves. Five wrong PINs lock the worker's PIN there for 15
 * minutes, twenty in an hour all PINs until the owner, who is mailed, opens it: rate_limited, whatever the PIN. Throws
 * wrong_pin, also for an unknown worker.
 */
export const pinSignIn = operation({
  permission: "till.own",
  input: pinSignInSchema,
  errors: ["wrong_pin"],
  needsTill: "in_use",
  actorFrom: provedTill,
  run: async (ctx, input): Promise<PinSession> => {
    const { tillId } = ctx.actor;
    const till = await ctx.db.till.findUniqueOrThrow({ where: { id: tillId }, select: { branchId: true } });
    const known = await ctx.db.user.findFirst({
      where: { id: input.workerId, role: "branch_worker", status: "active", branchId: till.branchId },
      select: { id: true, firstName: true, lastName: true },
    });
    const taken = await takeTry(ctx, known?.id ?? null);
    const stored = known
      ? await ctx.db.workerPin.findUnique({ where: { userId: known.id }, select: { pinHash: true } })
      : null;
    if (!(await pinMatches(stored?.pinHash, input.pin)) || !known) {
      await recordWrongPin(ctx, known?.id ?? null);
      if (taken.state !== "taken") await reportLock(ctx, taken.state === "last_here", known);
      throw new DomainError("wrong_pin");
    }
    const session = await ctx.db.$transaction(async (tx) => {
      // The locks make a worker who is disabled, a PIN that is changed or a till that is retired meanwhile end this one. The
      // till's is the one that its update takes: two who shared it would wait for each other.
      const [unchanged] = await tx.$queryRaw<unknown[]>`
      select 1 from users u join worker_pins p on p.user_id = u.id join tills t on t.id = ${tillId}::uuid
      where u.id = ${known.id}::uuid and u.status = 'active' and p.pin_hash = ${stored?.pinHash} and t.retired_at is null
      for share of u, p for no key update of t`;
      if (!unchanged) throw new DomainError("wrong_pin");
      await tx.$queryRaw`
      select return_pin_try(${tillId}::uuid, ${known.id}::uuid, ${taken.takenAt}::timestamptz)::text`;
      return openSignedIn(tx, { ...ctx, actor: null }, known.id, tillId);
    });
    return { ...(await loggedIn({ ...ctx, actor: null }, session)), entryKey: entryKey(session.id) };
  },
});
