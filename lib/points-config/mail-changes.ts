import { createHash } from "node:crypto";
import type { Db } from "@/lib/db/client";
import type { PendingChange as Row } from "@/lib/db/generated/client";
import { Prisma } from "@/lib/db/generated/client";
import { type MerchantNames, merchantName } from "@/lib/domain/merchant-name";
import { localeOr } from "@/lib/domain/roles";
import { queueEmails } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { underConfig } from "./config-versions";
import { CONFIG_MAILS, type ConfigMail } from "./model";
import { valuesOf } from "./pending-changes";
import { waitingLimit } from "./pending-limits";

const OWNERS_AT_ONCE = 500;

type Owner = { id: string; email: string; name: string; locale: string | null } & MerchantNames;

/**
 * The next owners concerned, by id: those of the merchants under a configuration (a merchant's, or the platform's when
 * null). The ceiling of allowances is one for all of them.
 */
function nextOwners(
  db: Db,
  { kind, merchantId }: Pick<Row, "kind" | "merchantId">,
  after: string | undefined,
): Promise<Owner[]> {
  const later = after ? Prisma.sql`and u.id > ${after}::uuid` : Prisma.empty;
  const everyone = kind === "allowance" && merchantId === null;
  return db.$queryRaw<Owner[]>`
    select u.id::text as id, u.email, u.first_name as name, u.locale, m.business_name as "businessName",
      m.business_name_ar as "businessNameAr"
    from users u join merchants m on m.id = u.merchant_id
    where u.role = 'merchant_owner' and u.status = 'active' and m.status = 'approved' 
      and ${everyone ? Prisma.sql`true` : underConfig(merchantId)}
      ${later}
    order by u.id limit ${OWNERS_AT_ONCE}`;
}

/** The id of the e-mail about one event of a change to one owner: writing it again writes nothing. */
function mailId(...parts: string[]): string {
  const hex = createHash("sha256").update(parts.join(" ")).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Answers the values that a change sets, and the page that shows it. */
function about(row: Row) {
  const limit = waitingLimit(row);
  if (!limit) {
    const url = `${env().APP_URL}/merchant/points-config`;
    return { allowance: false, after: valuesOf(row), url };
  }
  const after = { [limit.name]: limit.wanted };
  return { allowance: true, after, url: `${env().APP_URL}/merchant/settings` };
}

/** Writes the e-mails about one event of a change, in batches. A crash in between leaves the rest for the next run. */
async function mailEvent(db: Db, row: Row, event: ConfigMail): Promise<void> {
  let owners = await nextOwners(db, row, undefined);
  while (owners.length > 0) {
    await queueEmails(
      db,
      owners.map(({ id, email, name, locale: own, ...merchant }) => {
        const locale = localeOr(own);
        return {
          id: mailId(row.id, event, id),
          to: email,
          template: `config_${event}` as const,
          locale,
          params: {
            ...{
              name,
              merchant: merchantName(merchant, locale),
              withdrawal: row.withdrawal,
              effectiveAt: row.effectiveAt,
            },
            needsApproval: row.needsApproval && row.approvedById === null,
            before: row.before as Record<string, number | null>,
            ...about(row),
          },
        };
      }),
    );
    if (owners.length < OWNERS_AT_ONCE) return;
    owners = await nextOwners(db, row, owners.at(-1)?.id);
  }
}

/** Mails the owners concerned about each change that was asked for, cancelled or applied, once an event and owner. */
export async function mailChanges(db: Db): Promise<void> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id::text as id from pending_changes where mails <> '{}' order by id limit 200`;
  const changes = await db.pendingChange.findMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  for (const row of changes) {
    for (const event of CONFIG_MAILS) {
      if (!row.mails.includes(event)) continue;
      await mailEvent(db, row, event);
      await db.$executeRaw`
        update pending_changes set mails = array_remove(mails, ${event}::text) where id = ${row.id}::uuid`;
    }
  }
}
