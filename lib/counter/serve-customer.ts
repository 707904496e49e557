import { recordOpening } from "@/lib/audit/openings";
import type { Context } from "@/lib/db/context";
import { customerOfEitherId } from "@/lib/db/query";
import { authorize, hasPermission, merchantWhere } from "@/lib/domain/actor";
import { env } from "@/lib/env";
import { pocketsAt } from "@/lib/ledger/pockets";
import { operation } from "@/lib/operations/operation";
import {
  customerAssociationSchema,
  type ServeCustomer,
  type ServedCustomer,
  serveCustomerSchema,
  viewCustomerSchema,
} from "./model/counter";
import { printedCode } from "./printed-code";
import { readServed, worth } from "./served-customer";

/**
 * One customer by the private or the public id, with the merchant of the card and its open branches. The opening is
 * written down before it answers.
 * Throws customer_not_found, also for another merchant's customer.
 */
export const serveCustomer = operation({
  permission: "customers.find",
  input: serveCustomerSchema,
  readOnly: true,
  run: async (ctx, input): Promise<ServedCustomer> => (await open(ctx, input)).customer,
});

async function open(ctx: Context, { customerId }: ServeCustomer) {
  const reach = authorize(ctx.actor, "customers.find");
  const served = await readServed(ctx.db, reach, customerId, ctx.clock(), ctx.actor);
  await recordOpening(ctx, { id: served.privateId, merchantId: served.customer.merchant.id });
  return served;
}

/** `heldByStaff` is only for staff who may read customers, which workers may not. */
export type ViewedCustomer = ServedCustomer & { qrCode: string; heldByStaff?: boolean };

/**
 * One customer, with the picture (a PNG data URL) of the printed QR code, which identifies the customer and grants no
 * access. With `at`, the balance is the one of that time. Throws customer_not_found, also for another merchant's
 * customer.
 */
export const viewCustomer = operation({
  permission: "customers.find",
  input: viewCustomerSchema,
  errors: ["customer_not_found"],
  readOnly: true,
  run: async (ctx, input): Promise<ViewedCustomer> => {
    const { customer: served, privateId, heldByStaff } = await open(ctx, input);
    const mayRead = hasPermission(ctx.actor, "customers.read");
    const customer = mayRead ? { ...served, heldByStaff } : served;
    const link = `${env().APP_URL}/topup/${customer.publicId}`;
    const qrCode = printedCode(link);
    if (!input.at || input.at >= ctx.clock()) return { ...customer, qrCode };
    const { pockets, rate } = await pocketsAt(ctx.db, privateId, input.at);
    return { ...customer, ...worth(pockets, rate ?? customer.rate), qrCode };
  },
});

/**
 * Whether the customer has a card of a merchant, given by its own id or by the id of one of its users.
 * The caller's own id selects every merchant within their reach. False outside the actor's reach.
 */
export const customerAssociation = operation({
  permission: "customers.find",
  input: customerAssociationSchema,
  readOnly: true,
  run: async (ctx, input): Promise<{ exists: boolean }> => {
    const reach = merchantWhere(ctx.reach);
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
  },
});
