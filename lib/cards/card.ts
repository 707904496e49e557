import { toString as draw } from "qrcode";
import type { CardContext, HolderContext } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import type { Card, CardState, StatementLine } from "@/lib/domain/card";
import { type CardStatement, cardSchema, cardStatementSchema } from "@/lib/domain/card-holder";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import type { Page } from "@/lib/domain/movements";
import { env } from "@/lib/env";
import { POCKET_COLUMNS, type PocketColumns, pocketsJoin, toPockets } from "@/lib/ledger/pockets";
import { liveCode } from "@/lib/ledger/proof";
import { statementOf } from "@/lib/ledger/read-movements";
import { cardForCode, holderOfExistingCard } from "./card-code";
import { holderByCookie } from "./card-holder";

/** Identifies a card by its private id. */
export type CardQuery = { customerId: string };

type Row = Omit<Card, "merchant" | "isHolder" | "balance" | "cashValue" | "pockets"> &
  PocketColumns & {
    rate: number;
    merchantId: string;
    businessName: string;
    imageKey: string | null;
    firstName: string;
    lastName: string;
  };

/** A card with its holder's details. Throws customer_not_found, also for an erased card. */
export async function readCard(ctx: CardContext, query: CardQuery): Promise<Card> {
  const reach = authorize(ctx.actor, "card.view");
  const [row] = await ctx.db.$queryRaw<Row[]>`
    select c.id::text as id, c.public_id::text as "publicId", c.full_name as "fullName", c.email, c.phone,
      c.status::text as status, ${POCKET_COLUMNS}, c.locale, c.registered_at as "registeredAt",
      p.dirhams_per_point as rate, m.id::text as "merchantId", m.business_name as "businessName",
      m.image_key as "imageKey", m.first_name as "firstName", m.last_name as "lastName"
    from customers c join merchants m on m.id = c.merchant_id
    cross join lateral points_config_in_force(c.merchant_id) p ${pocketsJoin(ctx.clock())}
    where c.id = ${query.customerId}::uuid and c.status <> 'erased'`;
  if (!row) throw new DomainError("customer_not_found");
  const { rate, merchantId, businessName, imageKey, firstName, lastName, ...rest } = row;
  const { balance: _all, bonus: _bonus, ended: _ended, nextPoints: _points, nextEnd: _end, ...own } = rest;
  const pockets = toPockets(row);
  const balance = pockets.paid + pockets.bonus;
  return {
    ...own,
    pockets,
    balance,
    cashValue: cashValue(balance, rate),
    merchant: { id: merchantId, businessName, imageKey, firstName, lastName },
    isHolder: reach.scope === "own" && reach.customerId === row.id,
  };
}
readCard.permission = "card.view" as const;
readCard.input = cardSchema;
readCard.actorFrom = holderByCookie;

/** The QR of a card as a data URL: with the live code, or the printed one. */
export async function cardQr(card: Pick<Card, "id" | "publicId">, live: boolean, now: Date): Promise<string> {
  return qrDataUrl(cardLink(card.publicId, live ? liveCode(card.id, now) : undefined));
}

/** The card's current state, which the open card page polls. Throws customer_not_found. */
export async function readCardState(ctx: CardContext, query: CardQuery): Promise<CardState> {
  const card = await readCard(ctx, query);
  const at = ctx.clock();
  const { balance, cashValue: worth, pockets, status, isHolder } = card;
  return {
    balance,
    cashValue: worth,
    pockets,
    status,
    liveQr: isHolder ? await cardQr(card, true, at) : null,
    at,
  };
}
readCardState.permission = "card.view" as const;
readCardState.input = cardSchema;
readCardState.errors = ["customer_not_found"] as const;
readCardState.actorFrom = holderByCookie;

/** The link in a card's QR: the top-up link of its public id, and the live code on the holder's web card only. */
export function cardLink(publicId: string, code?: string): string {
  const link = `${env().APP_URL}/topup/${publicId}`;
  return code ? `${link}?code=${encodeURIComponent(code)}` : link;
}

/** A QR as an SVG data URL, dark on white and without a margin. The page adds the quiet zone. */
async function qrDataUrl(text: string): Promise<string> {
  const svg = await draw(text, { type: "svg", margin: 0, errorCorrectionLevel: "M" });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

const STATEMENT_LINES = 10;

/** A page of the holder's own statement, newest first. Throws customer_not_found, card_holder_required. */
export async function cardStatement(ctx: HolderContext, input: CardStatement): Promise<Page<StatementLine>> {
  const { id } = await cardForCode(ctx, authorize(ctx.actor, "card.own").customerId);
  const page = await statementOf(ctx.db, id, { cursor: input.cursor, limit: STATEMENT_LINES });
  return {
    results: page.results.map((movement) => ({
      id: movement.id,
      type: movement.type,
      points: movement.points,
      bonusPoints: movement.bonusPoints,
      balanceAfter: movement.balanceAfter,
      rate: movement.rate,
      tender: movement.tender,
      saleRef: movement.saleRef,
      branch: movement.branch?.name ?? null,
      createdAt: movement.createdAt,
    })),
    nextCursor: page.nextCursor,
  };
}
cardStatement.permission = "card.own" as const;
cardStatement.input = cardStatementSchema;
cardStatement.actorFrom = holderOfExistingCard;
