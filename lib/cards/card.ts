import { toString as draw } from "qrcode";
import type { Db } from "@/lib/db/client";
import { maskEmail, maskPhone } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { branchName } from "@/lib/domain/localized-names";
import { cashValue } from "@/lib/domain/money";
import { env } from "@/lib/env";
import { coloursOfMerchant } from "@/lib/files/picture-colour";
import { POCKET_COLUMNS, type PocketColumns, pocketsJoin, reservedOf, toPockets } from "@/lib/ledger/pockets";
import { liveCode } from "@/lib/ledger/proof";
import { statementOf } from "@/lib/ledger/read-movements";
import { operation } from "@/lib/operations/operation";
import { cardForCode, holderOfExistingCard } from "./card-code";
import { holderByCookie } from "./card-holder";
import { pendingEmail } from "./email-changes";
import { freezeUrl } from "./freeze-card";
import type { CardProfile, CardState, CardStatement, JustPaid, StatementHold } from "./model/card";
import { cardSchema, cardStatementSchema } from "./model/card-holder";

type Row = Omit<
  CardProfile,
  "merchant" | "isHolder" | "pendingEmail" | "balance" | "cashValue" | "pockets" | "holds"
> &
  PocketColumns & {
    rate: number;
    colour: string | null;
    merchant: Omit<CardProfile["merchant"], "colours">;
  };

/** A card; e-mail and phone in full for its holder alone. Throws customer_not_found, also for an erased card. */
export const readCard = operation({
  permission: "card.view",
  input: cardSchema,
  readOnly: true,
  actorFrom: holderByCookie,
  run: async (ctx, query): Promise<CardProfile> => {
    const reach = ctx.reach;
    const [row] = await ctx.db.$queryRaw<Row[]>`
    select c.id::text as id, c.public_id::text as "publicId", c.code, c.full_name as "fullName", c.email, c.phone,
      c.status::text as status, ${POCKET_COLUMNS}, c.locale, c.registered_at as "registeredAt",
      p.dirhams_per_point as rate, m.colour, json_build_object('id', m.id, 'publicId', m.public_id,
        'businessName', m.business_name, 'businessNameAr', m.business_name_ar, 'imageKey', m.image_key,
        'logoKey', m.logo_key, 'firstName', m.first_name, 'lastName', m.last_name,
        'suspended', m.suspended_at is not null) as merchant
    from customers c join merchants m on m.id = c.merchant_id
    cross join lateral points_config_in_force(c.merchant_id) p ${pocketsJoin(ctx.clock())}
    where c.id = ${query.customerId}::uuid and c.status <> 'erased'`;
    if (!row) throw new DomainError("customer_not_found");
    const { rate, colour, merchant, ...rest } = row;
    const { balance: _all, bonus: _bonus, ended: _ended, nextPoints: _points, nextEnd: _end, ...own } = rest;
    const pockets = toPockets(row);
    const balance = pockets.paid + pockets.bonus;
    const isHolder = reach.scope === "own" && reach.customerId === row.id;
    return {
      ...own,
      // The owner of a card recognises the own contacts; the reader of a forwarded link learns none.
      email: isHolder ? row.email : row.email && maskEmail(row.email, 1),
      phone: isHolder ? row.phone : row.phone && maskPhone(row.phone),
      pockets,
      balance,
      holds: isHolder && row.held > 0 ? await reservedOf(ctx.db, row.id, ctx.clock()) : [],
      cashValue: cashValue(balance, rate),
      merchant: { ...merchant, colours: await coloursOfMerchant(ctx.db, { ...merchant, colour }) },
      isHolder,
      pendingEmail: isHolder ? await pendingEmail(ctx.db, row.id) : null,
    };
  },
});

/** The QR of a card as an SVG data URL, dark on white and without a margin: with the live code, or the printed one. */
export async function cardQr(
  card: Pick<CardProfile, "id" | "publicId">,
  live: boolean,
  now: Date,
): Promise<string> {
  const link = cardLink(card.publicId, live ? liveCode(card.id, now) : undefined);
  const svg = await draw(link, { type: "svg", margin: 0, errorCorrectionLevel: "M" });
  // Escaped like this it is a quarter shorter than in base64; a comma needs no escape where a space does.
  const short = svg.trim().replace(/(?<=\d) (?=\d)/g, ",");
  return `data:image/svg+xml,${short.replace(/[<>"#%\s]/g, encodeURIComponent)}`;
}

const DAY = 24 * 60 * 60_000;

/** For how long the card shows what its live code paid, in milliseconds. */
const JUST_PAID = 5 * 60_000;

/** The newest redemption by live code, if it is a few minutes old and not reversed. A quiet card costs no search. */
async function justPaid(db: Db, customerId: string, now: Date): Promise<JustPaid | null> {
  const [row] = await db.$queryRaw<{ points: number; at: Date }[]>`
    select -m.points as points, m.created_at as at
    from customers c cross join lateral (
      select * from movements l where l.customer_id = c.id order by l.seq desc limit 5
    ) m
    where c.id = ${customerId}::uuid and c.last_posted_at > ${new Date(now.getTime() - JUST_PAID)}::timestamptz
      and m.proof = 'live_code' and m.created_at > ${new Date(now.getTime() - JUST_PAID)}::timestamptz
      and not exists (select from movements v where v.reverses_id = m.id)
    order by m.seq desc limit 1`;
  return row ? { ...row, freezeUrl: freezeUrl(customerId, row.at) } : null;
}

/** The card with its current state, which the open card page polls. Throws customer_not_found. */
export const readCardState = operation({
  permission: "card.view",
  input: cardSchema,
  errors: ["customer_not_found"],
  readOnly: true,
  actorFrom: holderByCookie,
  run: async (ctx, query): Promise<CardState> => {
    const card = await readCard(ctx, query);
    const at = ctx.clock();
    return {
      ...card,
      suspended: card.merchant.suspended,
      liveQr: card.isHolder ? await cardQr(card, true, at) : null,
      justPaid: card.isHolder ? await justPaid(ctx.db, card.id, at) : null,
      at,
    };
  },
});

/** The link in a card's QR: the top-up link of its public id, and the live code on the holder's web card only. */
export function cardLink(publicId: string, code?: string): string {
  const link = `${env().APP_URL}/topup/${publicId}`;
  return code ? `${link}?code=${encodeURIComponent(code)}` : link;
}

const STATEMENT_LINES = 10;

/** A statement has the holds that are open, and those that ended in the last days without being taken whole. */
const HOLDS = { most: 10, days: 7 };

async function latestHolds(db: Db, customerId: string, now: Date): Promise<StatementHold[]> {
  return db.$queryRaw<StatementHold[]>`
    select h.id::text as id, case when lapsed.is_over then 'lapsed' else h.state::text end as state, h.points, h.captured,
      json_build_object('name', b.name, 'nameAr', b.name_ar) as branch, h.created_at as "createdAt",
      case when h.state = 'open' then h.expires_at else h.closed_at end as until, p.dirhams_per_point as rate
    from holds h join merchants m on m.id = h.merchant_id join branches b on b.id = h.branch_id
    cross join lateral points_config_in_force(h.merchant_id) p
    cross join lateral (
      select h.state = 'open' and is_lapsed(h.expires_at, m.suspended_at, ${now}::timestamptz) as is_over
    ) lapsed
    where h.customer_id = ${customerId}::uuid and h.captured < h.points
      and h.created_at > ${new Date(now.getTime() - HOLDS.days * DAY)}::timestamptz
    order by h.created_at desc, h.id desc limit ${HOLDS.most}`;
}

/** A page of the holder's own statement, newest first. Throws customer_not_found, card_holder_required. */
export const cardStatement = operation({
  permission: "card.own",
  input: cardStatementSchema,
  actorFrom: holderOfExistingCard,
  run: async (ctx, input): Promise<CardStatement> => {
    const { id } = await cardForCode(ctx, ctx.reach.customerId);
    const page = await statementOf(ctx.db, id, { cursor: input.cursor, limit: STATEMENT_LINES }, ctx.actor);
    return {
      results: page.results.map((movement) => ({
        id: movement.id,
        receiptNumber: movement.receiptNumber,
        type: movement.type,
        points: movement.points,
        bonusPoints: movement.bonusPoints,
        balanceAfter: movement.balanceAfter,
        rate: movement.rate,
        tender: movement.tender,
        saleRef: movement.saleRef,
        branch: movement.branch && branchName(movement.branch, ctx.locale),
        createdAt: movement.createdAt,
      })),
      nextCursor: page.nextCursor,
      holds: input.cursor ? [] : await latestHolds(ctx.db, id, ctx.clock()),
    };
  },
});
