import QRCode from "qrcode";
import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { customerOfEitherId } from "@/lib/db/query";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import {
  type CustomerAssociation,
  customerAssociationSchema,
  type ServeCustomer,
  type ServedCustomer,
  serveCustomerSchema,
} from "@/lib/domain/counter";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import { env } from "@/lib/env";
import { counterMerchantSelect } from "@/lib/merchants/lookups";

const selection = {
  id: true,
  publicId: true,
  fullName: true,
  email: true,
  phone: true,
  dateOfBirth: true,
  balance: true,
  registeredAt: true,
  merchant: { select: counterMerchantSelect },
} satisfies Prisma.CustomerSelect;

/**
 * One customer by the private or the public id, with the merchant of the card and its open branches.
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
  const { dateOfBirth, ...customer } = row;
  const rate = await rateInForce(ctx.db, row.merchant.id);
  return {
    ...customer,
    rate,
    dateOfBirth: dateOfBirth?.toISOString().slice(0, 10) ?? null,
    cashValue: cashValue(row.balance, rate),
  };
}
serveCustomer.permission = "customers.find" as const;
serveCustomer.input = serveCustomerSchema;

export type ViewedCustomer = ServedCustomer & { qrCode: string };

/**
 * One customer with the printed QR as a PNG data URL. The QR identifies the customer without granting access.
 * Throws customer_not_found, also for another merchant's customer.
 */
export async function viewCustomer(ctx: Context, input: ServeCustomer): Promise<ViewedCustomer> {
  const customer = await serveCustomer(ctx, input);
  const link = `${env().APP_URL}/topup/${customer.publicId}`;
  return { ...customer, qrCode: await QRCode.toDataURL(link, { margin: 2, width: 320 }) };
}
viewCustomer.permission = serveCustomer.permission;
viewCustomer.input = serveCustomerSchema;
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
customerAssociation.input = customerAssociationSchema;

/** The current value of a merchant's point, in dirhams. */
async function rateInForce(db: Db, merchantId: string): Promise<number> {
  const [rules] = await db.$queryRaw<{ rate: number }[]>`
    select dirhams_per_point as rate from points_config_in_force(${merchantId}::uuid)`;
  if (!rules) throw new Error("no points configuration is in force");
  return rules.rate;
}
