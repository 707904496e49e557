import type { Db, Tx } from "@/lib/db/client";
import { MERCHANT_NAMES, merchantName } from "@/lib/domain/localized-names";
import { mailOwners } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { translator } from "@/lib/i18n/translate";
import type { Task } from "@/lib/jobs/queue";
import type { NoticeKind } from "@/lib/notices/model";
import { audit } from "./audit";

type NewNotice = {
  kind: NoticeKind;
  /** The merchant whose owners read it; null for the administrators. */
  merchantId: string | null;
  /** The user who caused it. This user does not get the notice. */
  userId?: string | null;
  customerId?: string;
  tillId?: string;
  apiKeyId?: string | null;
  /** The merchant that a notice of the administrators is about. */
  aboutId?: string | null;
  recordId?: string;
  /** Points, dirhams or a count, by the kind. */
  amount?: number;
  /** Absent: the database's clock. */
  createdAt?: Date;
};

/** Writes a notice, or makes the one of its kind and record new and unread. The caller locks the record. */
export async function renewNotice(tx: Tx, notice: NewNotice & { recordId: string }): Promise<void> {
  const { kind, recordId } = notice;
  await tx.notice.deleteMany({ where: { kind, recordId } });
  await giveNotice(tx, notice);
}

/** Writes a notice in the transaction of the event. A second one of the same record and kind is left out. */
export async function giveNotice(tx: Db | Tx, notice: NewNotice): Promise<void> {
  await tx.notice.createMany({ data: [notice], skipDuplicates: true });
}

/** An hour with more openings than this, none of them with a movement, is reported. */
const MAX_OPENINGS = 60;

type Many = {
  userId: string | null;
  keyId: string | null;
  name: string;
  /** Whether it is an administrator, whom owners do not see. */
  platform: boolean;
  merchantId: string;
  openings: number;
  at: Date;
};

/** An opening does not count if its actor posted for the customer after it, or in the five minutes before. */
function findMany(db: Db): Promise<Many[]> {
  return db.$queryRaw<Many[]>`
    select a.actor_id::text as "userId", a.api_key_id::text as "keyId", a.merchant_id::text as "merchantId",
      coalesce(u.first_name || ' ' || u.last_name, k.name) as name,
      coalesce(u.role in ('super_admin', 'admin'), false) as platform, count(*)::int as openings, now() as at
    from audits a left join users u on u.id = a.actor_id left join api_keys k on k.id = a.api_key_id
    where a.kind = 'opening' and a.action = 'opening.customer' and a.created_at > now() - interval '1 hour'
      and coalesce(u.id, k.id) is not null and a.merchant_id is not null and not exists (
        select from movements m where m.customer_id = a.entity_id::uuid
          and coalesce(m.actor_id, m.api_key_id) = coalesce(u.id, k.id)
          and m.created_at >= a.created_at - interval '5 minutes')
    group by u.id, k.id, 1, 2, 3 having count(*) > ${MAX_OPENINGS}`;
}

/** Writes the warning into the activity, once an actor, merchant and hour, and mails the merchant's owners. */
async function warn(db: Db, many: Many): Promise<void> {
  const { userId, keyId, name, platform, merchantId, openings, at } = many;
  const entityId = userId ?? keyId ?? "";
  await db.$transaction(async (tx) => {
    const system = { actor: { type: "system", job: "many_openings" } } as const;
    const written = await audit(tx, system, {
      merchantId,
      action: "opening.many",
      entity: userId ? "user" : "apiKey",
      entityId,
      after: { openings },
      once: `many:${entityId}:${merchantId}:${Math.floor(at.getTime() / 3_600_000)}`,
    });
    if (!written) return;
    await giveNotice(tx, { kind: "many_openings", merchantId, userId, apiKeyId: keyId, amount: openings });
    const where = { id: merchantId };
    const merchant = await tx.merchant.findUniqueOrThrow({ where, select: MERCHANT_NAMES });
    const filter = userId && !platform ? `&actorId=${userId}` : "";
    const url = `${env().APP_URL}/merchant/activity?kind=opening${filter}`;
    await mailOwners(tx, merchantId, "many_openings", (owner) => ({
      openings,
      at,
      url,
      person: platform ? translator(owner.locale)("activity.who.administrator") : name,
      name: owner.name,
      merchant: merchantName(merchant, owner.locale),
    }));
  });
}

/** Runs every five minutes: warns owners about staff who open many customers without posting anything. */
export const manyOpenings: Task = async ({ db }) => {
  for (const many of await findMany(db)) await warn(db, many);
};
