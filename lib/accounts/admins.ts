import { auditUser, difference } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import { mapUniqueViolation } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import { endAccess, sendInvitation } from "./invitations";
import { type ChangeAdmin, changeAdminSchema, inviteAdminSchema } from "./model/account";
import type { Admin } from "./names";
import { endSessions } from "./session";

const INVITATIONS: GuardLimit = { name: "admin-invite", points: 5, seconds: 60 * 60 };
// There are few: a page shows all of them.
const MAX_LISTED = 200;

async function readAdmins(db: Db | Tx, id?: string): Promise<Admin[]> {
  const rows = await db.user.findMany({
    where: { role: { in: ["super_admin", "admin"] }, ...(id ? { id } : {}) },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: MAX_LISTED,
    select: {
      id: true,
      firstName: true,
      lastName: true,
      email: true,
      role: true,
      status: true,
      createdAt: true,
      _count: { select: { secondFactors: { where: { confirmedAt: { not: null } } } } },
    },
  });
  return rows.map(({ _count, role, ...row }) => ({
    ...row,
    role: role === "super_admin" ? role : "admin",
    secondFactor: _count.secondFactors > 0,
  }));
}

/** The administrators, the oldest first; at most 200. */
export const listAdmins = operation({
  permission: "admins.manage",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<Admin[]> => readAdmins(ctx.db),
});

async function readAdmin(db: Db | Tx, id: string): Promise<Admin> {
  const [admin] = await readAdmins(db, id);
  if (!admin) throw new DomainError("admin_not_found");
  return admin;
}

/** Creates an administrator and e-mails them a link to set their password. Throws email_taken. */
export const inviteAdmin = operation({
  permission: "admins.manage",
  input: inviteAdminSchema,
  errors: ["email_taken"],
  stepUp: true,
  run: async (ctx, input): Promise<Admin> =>
    mapUniqueViolation("email_taken", "email", () =>
      ctx.db.$transaction(async (tx) => {
        const { id } = await tx.user.create({ data: { ...input, status: "invited" }, select: { id: true } });
        await sendInvitation(tx, ctx, id);
        const after = { email: input.email, role: input.role };
        await auditUser(tx, ctx, { id, merchantId: null }, { action: "admin.created", after });
        return readAdmin(tx, id);
      }),
    ),
});

/** Writes the change, unless it leaves no active super_admin. Locks in one order make two who disable each other wait. */
async function writeChange(tx: Tx, { id, active, role, firstName, lastName }: ChangeAdmin): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    with supers as materialized (
      select id from users where role = 'super_admin' and status = 'active' order by id for update)
    update users u set
      first_name = coalesce(${firstName ?? null}::text, u.first_name),
      last_name = coalesce(${lastName ?? null}::text, u.last_name),
      role = coalesce(${role ?? null}::"Role", u.role),
      status = case ${active ?? null}::boolean
        when false then 'disabled'::"UserStatus"
        when true then case when u.status <> 'disabled' then u.status
          when u.password_hash is null then 'invited'::"UserStatus" else 'active'::"UserStatus" end
        else u.status end,
      updated_at = now()
    where u.id = ${id}::uuid and u.role in ('super_admin', 'admin')
      and (exists (select 1 from supers s where s.id <> u.id)
        or not exists (select 1 from supers s where s.id = u.id)
        or not (coalesce(${active ?? null}::boolean, true) = false or coalesce(${role ?? null}::text, 'super_admin') = 'admin'))
    returning 1`;
  return rows.length > 0;
}

const valuesOf = ({ firstName, lastName, role, status }: Admin) => ({ firstName, lastName, role, status });

/** Changes, disables or enables an administrator, or invites again. Throws conflict for an invitation of who joined. */
export const changeAdmin = operation({
  permission: "admins.manage",
  input: changeAdminSchema,
  errors: ["admin_not_found", "last_super_admin", "conflict"],
  stepUp: true,
  run: async (ctx, input): Promise<Admin> => {
    const { id, invite } = input;
    if (invite) await consume(ctx.db, INVITATIONS, id);
    return ctx.db.$transaction(async (tx) => {
      const before = await readAdmin(tx, id);
      if (!(await writeChange(tx, input))) throw new DomainError("last_super_admin");
      const after = await readAdmin(tx, id);
      if (invite && after.status !== "invited") throw new DomainError("conflict");
      if (invite || (after.status === "invited" && before.status === "disabled"))
        await sendInvitation(tx, ctx, id);
      const disabled = after.status === "disabled" && before.status !== "disabled";
      if (disabled) await endAccess(tx, id, ctx.clock());
      else if (after.role !== before.role) await endSessions(tx, { userId: id }, ctx.clock());
      const enabled = before.status === "disabled" && after.status !== "disabled";
      const changed = difference(valuesOf(before), valuesOf(after));
      if (!changed && !invite) return after;
      const user = { id, merchantId: null };
      await auditUser(tx, ctx, user, {
        action: `admin.${disabled ? "disabled" : enabled ? "enabled" : invite ? "invited" : "changed"}`,
        ...changed,
      });
      return after;
    });
  },
});
