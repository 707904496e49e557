import { crc32, deflateSync } from "node:zlib";
import QRCode from "qrcode";
import { recordOpening } from "@/lib/audit/audit";
import { giveNotice } from "@/lib/audit/notices";
import { mailCode } from "@/lib/codes/codes";
import { shownId } from "@/lib/customers/model/customer-id";
import { customerIdSchema } from "@/lib/customers/model/customers";
import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { andMerchant, eitherIdIs, ofEitherId, rowCount } from "@/lib/db/query";
import { authorize, hasPermission, merchantWhere, type Reach, type StaffActor } from "@/lib/domain/actor";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/localized-names";
import { cashValue } from "@/lib/domain/money";
import { localeOr } from "@/lib/domain/roles";
import { qatarDay } from "@/lib/domain/time";
import { env } from "@/lib/env";
import type { Pockets } from "@/lib/ledger/model/movements";
import { POCKET_COLUMNS, type PocketColumns, pocketsAt, pocketsJoin, toPockets } from "@/lib/ledger/pockets";
import { operation } from "@/lib/operations/operation";
import { customerAssociationSchema, redeemCodeSchema, viewCustomerSchema } from "./model/counter";
import type { ServedCustomer, ViewedCustomer } from "./names";

// As many branches as lib/merchants/lookups.ts reads.
const MAX_BRANCHES = 200;

type Row = PocketColumns &
  Omit<ServedCustomer, "id" | "pockets" | "cashValue"> & { id: string; heldByStaff: boolean };

/** Answers the points of a customer, held ones included, with their value at this rate. */
function worth(pockets: Pockets, rate: number) {
  const balance = pockets.paid + pockets.bonus;
  return { pockets, balance, rate, cashValue: cashValue(balance, rate) };
}

/** The points that need no confirmation today: what is left of the card's allowance and, for a worker, of their own day. */
function unconfirmed(workerId: string | null, now: Date): Prisma.Sql {
  const day = qatarDay(now);
  const ofCard = Prisma.sql`m.redeem_allowance - case when c.unproved_on = ${day}::date
    then c.unproved - coalesce(freed.unproved, 0) else 0 end`;
  if (workerId === null) return Prisma.sql`greatest(0, ${ofCard})`;
  // Lapsed holds on other cards do not count any more, though nothing has ended them: as in count_worker_day.
  return Prisma.sql`greatest(0, least(${ofCard}, m.unproved_worker_daily - coalesce(
    (select w.unproved from worker_days w where w.user_id = ${workerId}::uuid and w.day = ${day}::date), 0) + coalesce((
      select sum(h.points - h.captured) from holds h
      where h.merchant_id = m.id and h.state = 'open' and h.expires_at <= ${now}::timestamptz
        and h.actor_id = ${workerId}::uuid and h.unproved_on = ${day}::date
        and is_lapsed(h.expires_at, m.suspended_at, ${now}::timestamptz)), 0)))::int`;
}

/** A customer within reach by either id. `privateId` is for the program alone. Throws customer_not_found. */
export async function readServed(
  db: Db,
  reach: Reach,
  customerId: string,
  now: Date,
  viewer: StaffActor,
): Promise<{ customer: ServedCustomer; privateId: string; heldByStaff: boolean }> {
  const workerId = viewer.type === "user" && viewer.role === "branch_worker" ? viewer.userId : null;
  const [row] = await db.$queryRaw<Row[]>`
    select c.id::text as id, c.public_id::text as "publicId", c.full_name as "fullName", c.email, c.phone,
      c.date_of_birth::text as "dateOfBirth", c.registered_at as "registeredAt", c.held_by_staff as "heldByStaff",
      ${POCKET_COLUMNS},
      c.status::text as status, rules.dirhams_per_point as rate,
      json_build_object('minTopUp', rules.min_top_up, 'maxTopUp', rules.max_top_up, 'maxBalance', rules.max_balance,
        'unconfirmed', ${unconfirmed(workerId, now)}) as limits,
      json_build_object('id', m.id, 'businessName', m.business_name, 'businessNameAr', m.business_name_ar,
        'imageKey', m.image_key, 'firstName', m.first_name, 'lastName', m.last_name, 'tenders', m.tenders,
        'askSaleRef', m.ask_sale_ref, 'suspended', m.suspended_at is not null, 'branches', (
          select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'nameAr', b.name_ar, 'city', b.city)), '[]') from (
            select id, name, name_ar, city from branches where merchant_id = m.id and archived_at is null
            order by created_at, id limit ${rowCount(MAX_BRANCHES)}) b)) as merchant
    from customers c join merchants m on m.id = c.merchant_id
    cross join lateral (
      select dirhams_per_point, min_top_up, max_top_up, max_balance from points_config_in_force(c.merchant_id)
    ) rules ${pocketsJoin(now)}
    where ${eitherIdIs(customerId)} ${andMerchant(reach)} and c.status <> 'erased'
    limit 1`;
  if (!row) throw new DomainError("customer_not_found");
  const { bonus, ended, nextPoints, nextEnd, heldByStaff, id: privateId, ...customer } = row;
  return {
    customer: { ...customer, id: shownId(viewer, row), ...worth(toPockets(row), row.rate) },
    privateId,
    heldByStaff,
  };
}

/** Modules of light space around the code, and pixels of the picture's side. */
const MARGIN = 2;
const SIDE = 320;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

/** The module that each pixel of a row or column shows; NaN in the light space. It rounds as the library's drawing. */
function modulesAlong(size: number): number[] {
  const scale = SIDE / (size + 2 * MARGIN);
  const [side, space] = [Math.floor((size + 2 * MARGIN) * scale), MARGIN * scale];
  return Array.from({ length: side }, (_, at) =>
    at >= space && at < side - space ? Math.floor((at - space) / scale) : Number.NaN,
  );
}

/** A text's QR code as the data URL of a PNG, 320 pixels wide: ten times as fast as the library's own picture. */
export function printedCode(text: string): string {
  const { size, data } = QRCode.create(text).modules;
  const along = modulesAlong(size);
  const side = along.length;
  const rows = along.map((down) => {
    // One bit a pixel, 1 is light, after the number of the row's filter, 0.
    const row = Buffer.alloc(Math.ceil(side / 8) + 1, 0xff).fill(0, 0, 1);
    for (const [x, across] of along.entries()) {
      const at = 1 + (x >> 3);
      if (data[down * size + across]) row[at] = (row[at] ?? 0) & ~(0x80 >> (x & 7));
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const parts = [
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return `data:image/png;base64,${Buffer.concat(parts).toString("base64")}`;
}

/** One customer by either id, for the counter. The opening is written down before it answers. Throws customer_not_found. */
export const serveCustomer = operation({
  permission: "customers.find",
  input: customerIdSchema,
  readOnly: true,
  run: async (ctx, input): Promise<ServedCustomer> => (await open(ctx, input.customerId)).customer,
});

async function open(ctx: Context<StaffActor>, customerId: string) {
  const reach = authorize(ctx.actor, "customers.find");
  const served = await readServed(ctx.db, reach, customerId, ctx.clock(), ctx.actor);
  await recordOpening(ctx, { id: served.privateId, merchantId: served.customer.merchant.id });
  return served;
}

/** The same with a picture (a PNG data URL) of the printed QR code. With `at`, the balance is the one of that time. */
export const viewCustomer = operation({
  permission: "customers.find",
  keyScope: "customers.read",
  input: viewCustomerSchema,
  errors: ["customer_not_found"],
  readOnly: true,
  run: async (ctx, input): Promise<ViewedCustomer> => {
    const { customer: served, privateId, heldByStaff } = await open(ctx, input.customerId);
    const mayRead = hasPermission(ctx.actor, "customers.read");
    const customer = mayRead ? { ...served, heldByStaff } : served;
    const qrCode = printedCode(`${env().APP_URL}/topup/${customer.publicId}`);
    if (!input.at || input.at >= ctx.clock()) return { ...customer, qrCode };
    const { pockets, held, rate } = await pocketsAt(ctx.db, privateId, input.at);
    return { ...customer, ...worth(pockets, rate ?? customer.rate), held, qrCode };
  },
});

/** Whether a customer within reach has a card of this merchant, or this user's; by the own id: of any. */
export const customerAssociation = operation({
  permission: "customers.find",
  input: customerAssociationSchema,
  readOnly: true,
  run: async (ctx, input): Promise<{ exists: boolean }> => {
    const merchant =
      input.within === ctx.actor.userId
        ? {}
        : { OR: [{ id: input.within }, { staff: { some: { id: input.within } } }] };
    const found = await ctx.db.customer.findFirst({
      where: {
        AND: [
          ofEitherId(input.customerId),
          merchantWhere(ctx.reach),
          { status: { not: "erased" }, merchant },
        ],
      },
      select: { id: true },
    });
    return { exists: found !== null };
  },
});

/**
 * Mails the customer the six-digit code that confirms a redemption of so many points or less, or of the merchant's daily
 * allowance. Answers the masked e-mail and the seconds that it is good. Throws validation where that allowance is 0.
 */
export const sendRedeemCode = operation({
  permission: "money.redeem",
  keyScope: "redeem",
  input: redeemCodeSchema,
  errors: ["customer_not_found", "customer_blocked", "customer_frozen"],
  run: async (ctx, input): Promise<{ sentTo: string; seconds: number }> => {
    const within = merchantWhere(ctx.reach);
    const customer = await ctx.db.customer.findFirst({
      where: { ...ofEitherId(input.customerId), ...within },
      select: {
        id: true,
        email: true,
        locale: true,
        status: true,
        merchantId: true,
        merchant: { select: { businessName: true, businessNameAr: true, redeemAllowance: true } },
      },
    });
    if (!customer?.email) throw new DomainError("customer_not_found");
    if (customer.status === "blocked") throw new DomainError("customer_blocked");
    if (customer.status === "frozen") throw new DomainError("customer_frozen");
    const { id: customerId, email, merchantId } = customer;
    const points = input.points ?? customer.merchant.redeemAllowance;
    if (points < 1) {
      throw new DomainError("validation", {}, [{ path: "points", message: "validation.points.required" }]);
    }
    const locale = localeOr(customer.locale);
    const { actor } = ctx;
    const by = actor.type === "user" ? { userId: actor.userId } : { apiKeyId: actor.keyId };
    const about = { merchantId, ...by, customerId, amount: points };
    const { seconds } = await mailCode(
      ctx,
      { purpose: "redeem", email, customerId },
      {
        merchant: merchantName(customer.merchant, locale),
        points,
        ...(actor.type === "apiKey" ? { key: actor.name } : {}),
        shop: merchantId,
        locale,
        beside: (tx) => giveNotice(tx, { kind: "code_asked", ...about }),
      },
    );
    return { sentTo: maskEmail(email), seconds };
  },
});
