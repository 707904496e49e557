import QRCode from "qrcode";
import { recordOpening } from "@/lib/audit/openings";
import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { customerOfEitherId } from "@/lib/db/query";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import {
  type CounterLimits,
  type CustomerAssociation,
  customerAssociationSchema,
  type ServeCustomer,
  type ServedCustomer,
  serveCustomerSchema,
  type ViewCustomer,
  viewCustomerSchema,
} from "@/lib/domain/counter";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import type { Pockets } from "@/lib/domain/movements";
import { scopeOf } from "@/lib/domain/policy";
import { env } from "@/lib/env";
import { pocketsAt, pocketsOf } from "@/lib/ledger/pockets";
import { counterMerchant, counterMerchantSelect } from "@/lib/merchants/lookups";

const selection = {
  id: true,
  publicId: true,
  fullName: true,
  email: true,
  phone: true,
  dateOfBirth: true,
  registeredAt: true,
  status: true,
  merchant: { select: counterMerchantSelect },
} satisfies Prisma.CustomerSelect;

/**
 * One customer by the private or the public id, with the merchant of the card and its open branches. The opening is
 * written down before it answers.
 * Throws customer_not_found, also for another merchant's customer.
 */
export async function serveCustomer(ctx: Context, input: ServeCustomer): Promise<ServedCustomer> {
  const within = merchantWhere(authorize(ctx.actor, "customers.find"));
  const row = await ctx.db.customer.findFirst({
    where: {
      ...customerOfEitherId(input.customerId),
      ...within,
      status: { not: "erased" },
    },
    select: selection,
  });
  if (!row) throw new DomainError("customer_not_found");
  const { dateOfBirth, ...customer } = { ...row, merchant: counterMerchant(row.merchant) };
  const [{ rate, ...limits }, pockets] = await Promise.all([
    rulesInForce(ctx.db, row.merchant.id),
    pocketsOf(ctx.db, row.id, ctx.clock()),
    recordOpening(ctx, { id: row.id, merchantId: row.merchant.id }),
  ]);
  const born = dateOfBirth?.toISOString().slice(0, 10) ?? null;
  return { ...customer, dateOfBirth: born, limits, ...worth(pockets, rate) };
}
serveCustomer.permission = "customers.find" as const;
serveCustomer.input = serveCustomerSchema;

function worth(pockets: Pockets, rate: number) {
  const balance = pockets.paid + pockets.bonus;
  return { pockets, balance, rate, cashValue: cashValue(balance, rate) };
}

/** `heldByStaff` is for who may read customers: not for workers. */
export type ViewedCustomer = ServedCustomer & { qrCode: string; heldByStaff?: boolean };

/**
 * One customer, with the balance as it stood at an instant where one is named, and the picture (a PNG data URL) of the QR that is printed: it identifies and opens nothing.
 * Throws customer_not_found for another merchant's customer as for none.
 */
export async function viewCustomer(ctx: Context, input: ViewCustomer): Promise<ViewedCustomer> {
  const served = await serveCustomer(ctx, input);
  const mayRead = scopeOf(ctx.actor.role, "customers.read") !== null;
  const customer = mayRead ? { ...served, ...(await staffMark(ctx.db, served.id)) } : served;
  const link = `${env().APP_URL}/topup/${customer.publicId}`;
  const qrCode = await QRCode.toDataURL(link, { margin: 2, width: 320 });
  if (!input.at || input.at >= ctx.clock()) return { ...customer, qrCode };
  const { pockets, rate } = await pocketsAt(ctx.db, customer.id, input.at);
  return { ...customer, ...worth(pockets, rate ?? customer.rate), qrCode };
}
function staffMark(db: Db, id: string): Promise<{ heldByStaff: boolean }> {
  return db.customer.findUniqueOrThrow({ where: { id }, select: { heldByStaff: true } });
}
viewCustomer.permission = serveCustomer.permission;
viewCustomer.input = viewCustomerSchema;
viewCustomer.errors = ["customer_not_found"] as const;

/**
 * Whether the customer has a card of a merchant, given by its own id or by the id of one of its users.
 * The caller's own id selects every merchant within their reach. False outside the actor's reach.
 */
export async function customerAssociation(
  ctx: Context,
  input: CustomerAssociation,
): Promise<{ exists: boolean }> {
  const reach = merchantWhere(authorize(ctx.actor, "customers.find"));
  const merchant =
    input.within === ctx.actor.userId
      ? {}
      : { OR: [{ id: input.within }, { staff: { some: { id: input.within } } }] };
  const found = await ctx.db.customer.findFirst({
    where: {
      AND: [customerOfEitherId(input.customerId), reach, { status: { not: "erased" }, merchant }],
    },
    select: { id: true },
  });
  return { exists: found !== null };
}
customerAssociation.permission = "customers.find" as const;
customerAssociation.readOnly = true as const;
customerAssociation.input = customerAssociationSchema;

/** The current value of a merchant's point in dirhams, and the limits of a top-up in points. */
async function rulesInForce(db: Db, merchantId: string): Promise<CounterLimits & { rate: number }> {
  const [rules] = await db.$queryRaw<(CounterLimits & { rate: number })[]>`
    select dirhams_per_point as rate, min_top_up as "minTopUp", max_top_up as "maxTopUp", max_balance as "maxBalance"
    from points_config_in_force(${merchantId}::uuid)`;
  if (!rules) throw new Error("no points configuration is in force");
  return rules;
}
