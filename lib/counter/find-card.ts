import { recordOpening } from "@/lib/audit/audit";
import { shownId } from "@/lib/customers/model/customer-id";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { andMerchant } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { merchantWhere, type Reach, type StaffActor } from "@/lib/domain/actor";
import { maskEmail, maskPhone } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { endedJoin, HELD, SPENDABLE } from "@/lib/ledger/pockets";
import { operation } from "@/lib/operations/operation";
import { type FindCard, type FoundCard, findCardSchema } from "./model/counter";

/** Lookups by phone or e-mail, which guesses could try in turn. A scanned code counts as a request only. */
const LOOKUPS: GuardLimit = { name: "lookups", points: 60, seconds: 60 };
const LOOKUPS_OF_MERCHANT: GuardLimit = { name: "lookups-merchant", points: 600, seconds: 60 };

async function countLookup({ db, actor, reach }: Context<StaffActor> & { reach: Reach }): Promise<void> {
  await consume(db, LOOKUPS, actor.type === "user" ? actor.userId : actor.keyId);
  const { merchantId } = merchantWhere(reach);
  if (merchantId) await consume(db, LOOKUPS_OF_MERCHANT, merchantId);
}

/** What was given, as a condition on `customers c`. It matches as a whole. */
function matching({ publicId, email, phone }: FindCard): Prisma.Sql {
  if (publicId) return Prisma.sql`c.public_id = ${publicId}::uuid`;
  return email ? Prisma.sql`lower(c.email) = ${email}` : Prisma.sql`c.phone = ${phone}`;
}

type Row = Omit<FoundCard, "id"> & { id: string; merchantId: string };

/**
 * The one customer with exactly this QR code, phone or e-mail, for other software: contacts are masked. The opening is
 * written down. Throws customer_not_found, also where several match; rate_limited above 60 lookups by phone or e-mail in a
 * minute for a key or a user, and 600 for a merchant.
 */
export const findCard = operation({
  permission: "customers.find",
  keyScope: "customers.find",
  input: findCardSchema,
  errors: ["customer_not_found"],
  readOnly: true,
  run: async (ctx, given): Promise<FoundCard> => {
    if (!given.publicId) await countLookup(ctx);
    const [row, ...others] = await ctx.db.$queryRaw<Row[]>`
      select c.id::text as id, c.public_id::text as "publicId", c.merchant_id::text as "merchantId",
        c.full_name as "fullName", c.email, c.phone, c.status::text as status, ${SPENDABLE} as balance, ${HELD} as held
      from customers c ${endedJoin(ctx.clock())}
      where ${matching(given)} ${andMerchant(ctx.reach)} and c.status <> 'erased' limit 2`;
    if (!row || others.length > 0) throw new DomainError("customer_not_found");
    await recordOpening(ctx, row);
    const { merchantId: _, ...customer } = row;
    const { email, phone } = customer;
    return {
      ...customer,
      id: shownId(ctx.actor, row),
      email: email && maskEmail(email, 1),
      phone: phone && maskPhone(phone),
    };
  },
});
