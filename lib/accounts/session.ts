import type { Db, Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import type { UserActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { isAdministrator, isLocale } from "@/lib/domain/roles";
import { env, readUrl } from "@/lib/env";
import { oncePerProcess } from "@/lib/observe/once";
import { hashSecret, newSecret } from "@/lib/secrets/secrets";
import { readTogether, SessionMemory } from "./session-memory";

/** How long a session stays live after its last use, in seconds. */
export const SESSION_SECONDS = 12 * 60 * 60;
/** How long a session lives at most, in seconds, however much it is used. */
export const MAX_SESSION_SECONDS = 7 * 24 * 60 * 60;
export const MAX_ADMIN_SECONDS = 12 * 60 * 60;
// A session is updated at most once in this many seconds.
const TOUCH_SECONDS = 5 * 60;

export type SessionKey = { id: string } | { token: string };
/** A session that is over: whose it was, and since when (the moment it would expire, where its user was disabled). */
type Ended = { state: "ended"; actor: UserActor; endedAt: Date };
export type Resolved = { state: "live"; actor: UserActor } | Ended | { state: "missing" };

export type NewSession = { id: string; handle: string; token: string; expiresAt: Date };

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/** Stores a session that ends after 12 hours without a use, with only the hash of its token. */
async function storeSession<Token extends string | null>(
  db: Db | Tx,
  data: Omit<Prisma.SessionUncheckedCreateInput, "expiresAt">,
  token: Token,
  now: Date,
) {
  const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000);
  const row = await db.session.create({
    data: { ...data, tokenHash: token && hashSecret(token), lastSeenAt: now, expiresAt },
    select: { id: true, handle: true, expiresAt: true },
  });
  return { ...row, token };
}

/** Opens a session of 12 hours for a user. Answers its token. */
export async function openSession(
  db: Db | Tx,
  { now, ...of }: { userId: string; userAgent: string | null; address: string; now: Date; tillId?: string },
): Promise<NewSession> {
  const data = { ...of, userAgent: of.userAgent?.slice(0, 300), createdAt: now };
  return storeSession(db, data, newSecret(), now);
}

/** Gives a session a new id, handle and token (null for a panel) for the same time. Throws session_ended. */
export async function rotateSession(tx: Tx, id: string, now: Date) {
  const [old] = await tx.session.updateManyAndReturn({
    where: { id, revokedAt: null },
    data: { revokedAt: now },
    select: {
      userId: true,
      userAgent: true,
      address: true,
      createdAt: true,
      steppedUpUntil: true,
      tokenHash: true,
    },
  });
  if (!old) throw new DomainError("session_ended");
  return storeSession(tx, old, old.tokenHash === null ? null : newSecret(), now);
}

export type SessionRow = Omit<UserActor, "type" | "locale" | "factorRequired"> & {
  locale: string | null;
  active: boolean;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
};

type KeyKind = "id" | "token";

/** Notes that live sessions write, once a second, in the statement that reads them: every process knows before the write. */
const noteWrite = (sessions: Prisma.Sql): Prisma.Sql => Prisma.sql`with noted as (
  update sessions s set wrote_at = now()
  where ${sessions} and s.revoked_at is null and (s.wrote_at is null or s.wrote_at < now() - interval '1 second'))`;

/** Sessions by their keys with user and merchant, in one statement: every request needs its own. `notes`: they write. */
async function querySessions(
  db: Db,
  kind: KeyKind,
  keys: string[],
  notes = false,
): Promise<Map<string, SessionRow>> {
  const sessions =
    kind === "id"
      ? Prisma.sql`s.id = any (${keys}::uuid[])`
      : Prisma.sql`s.token_hash = any (${keys}::text[])`;
  const rows = await db.$queryRaw<(SessionRow & { key: string })[]>`
    ${notes ? noteWrite(sessions) : Prisma.empty} select ${kind === "id" ? Prisma.sql`s.id::text` : Prisma.sql`s.token_hash`} as key,
      coalesce(s.wrote_at > now() - interval '5 seconds', false) as "wroteLately", s.id::text as "sessionId", s.handle::text as handle, s.last_seen_at as "lastSeenAt",
      s.token_hash is null as panel, s.stepped_up_until as "steppedUpUntil", s.till_id::text as "tillId", s.created_at as "createdAt",
      exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as "secondFactor",
      s.expires_at as "expiresAt", s.revoked_at as "revokedAt",
      u.id::text as "userId", u.role::text as role, u.status = 'active' as active, u.email, u.phone,
      u.first_name as "firstName", u.last_name as "lastName", u.locale, u.branch_id::text as "branchId",
      u.merchant_id::text as "merchantId", m.status::text as "merchantStatus",
      case when m.id is not null then json_build_object('publicId', m.public_id, 'businessName', m.business_name,
        'businessNameAr', m.business_name_ar, 'imageKey', m.image_key, 'logoKey', m.logo_key, 'colour', m.colour) end as "merchantFace",
      m.status_reason as "merchantStatusReason", m.tenders::text[] as "merchantTenders",
      case when m.suspended_at is not null then coalesce(m.suspension_reason, '') end as "merchantSuspension"
    from sessions s join users u on u.id = s.user_id left join merchants m on m.id = u.merchant_id
    where ${sessions}`;
  return new Map(rows.map(({ key, ...row }) => [key, row]));
}

/** Requests that arrive while others are read share a statement (docs/decisions/what-it-carries.md, the CPU of a posting). */
const readers = oncePerProcess(
  "readers of sessions",
  () => new WeakMap<Db, Record<KeyKind, ReturnType<typeof readTogether<SessionRow>>>>(),
);
function readersOf(db: Db) {
  const reader = (kind: KeyKind) => readTogether((keys) => querySessions(db, kind, keys));
  const known = readers.get(db) ?? { id: reader("id"), token: reader("token") };
  readers.set(db, known);
  return known;
}

const keyText = (key: SessionKey): string => ("id" in key ? key.id.toLowerCase() : hashSecret(key.token));

/** A session as it is now. `writes` notes that the request may change something, where a replica is read. */
async function querySession(db: Db, key: SessionKey, writes = false): Promise<SessionRow | undefined> {
  const [kind, text] = ["id" in key ? "id" : "token", keyText(key)] as const;
  // The note waits for the session's row, and would hold up those who share it.
  if (!writes || readUrl() === undefined) return readersOf(db)[kind](text);
  const row = (await querySessions(db, kind, [text], true)).get(text);
  // The trigger tells the other processes.
  if (row && !row.wroteLately) sessionMemory().forget(`session:${row.sessionId}`);
  return row && { ...row, wroteLately: true };
}

async function readSession(
  db: Db,
  key: SessionKey,
  memory: SessionMemory<SessionRow>,
): Promise<SessionRow | undefined> {
  const known = keyText(key);
  const remembered = memory.find(known);
  if (remembered) return remembered;
  const remember = memory.reading();
  const row = await querySession(db, key);
  // An ended one is read each time, so that nothing keeps it ended.
  if (row?.active && !row.revokedAt) remember(known, row);
  return row;
}

/** The memory of this process. It remembers nothing until `listenForSessions` runs. */
export function sessionMemory(): SessionMemory<SessionRow> {
  return oncePerProcess("sessions", () => new SessionMemory());
}

/**
 * The state of a session, from the database or for reads from `memory`. Extends a live one by 12 hours, up to 7 days after its
 * sign-in (12 hours for administrators). `writes`: the request may change something.
 */
export async function resolveSession(
  db: Db,
  key: SessionKey,
  now: Date,
  { memory, writes = false }: { memory?: SessionMemory<SessionRow> | undefined; writes?: boolean } = {},
): Promise<Resolved> {
  if ("id" in key && !isId(key.id)) return { state: "missing" };
  const row = memory ? await readSession(db, key, memory) : await querySession(db, key, writes);
  if (!row) return { state: "missing" };
  const { active, createdAt, lastSeenAt, expiresAt: storedEnd, revokedAt, locale, ...actor } = row;
  const longest = isAdministrator(actor.role) ? MAX_ADMIN_SECONDS : MAX_SESSION_SECONDS;
  const last = new Date(createdAt.getTime() + longest * 1000);
  const expiresAt = earlier(storedEnd, last);
  const user: UserActor = {
    type: "user",
    ...actor,
    locale: isLocale(locale) ? locale : null,
    factorRequired: isAdministrator(actor.role) && env().APP_ENV === "production",
  };
  if (revokedAt || expiresAt <= now || !active) {
    const endedAt = revokedAt && revokedAt < expiresAt ? revokedAt : expiresAt;
    return { state: "ended", actor: user, endedAt };
  }
  if (now.getTime() - lastSeenAt.getTime() > TOUCH_SECONDS * 1000) {
    await db.session.updateMany({
      where: { id: actor.sessionId, revokedAt: null },
      data: { lastSeenAt: now, expiresAt: earlier(new Date(now.getTime() + SESSION_SECONDS * 1000), last) },
    });
    memory?.forget(`session:${actor.sessionId}`);
  }
  return { state: "live", actor: user };
}

/** Ends the live sessions of these. An ended session is not an error. Answers how many it ended. */
export async function endSessions(
  db: Db | Tx,
  which: Pick<Prisma.SessionWhereInput, "id" | "userId" | "handle" | "tillId">,
  now: Date,
): Promise<number> {
  const { count } = await db.session.updateMany({
    where: { ...which, revokedAt: null },
    data: { revokedAt: now },
  });
  return count;
}

/** Ends the sessions of a user that a PIN opened on a till. Answers how many it ended. */
export const endPinSessions = (tx: Tx, userId: string, now: Date): Promise<number> =>
  endSessions(tx, { userId, tillId: { not: null } }, now);
