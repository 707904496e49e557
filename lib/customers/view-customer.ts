import QRCode from "qrcode";
import type { Context } from "@/lib/db/context";
import type { ServedCustomer } from "@/lib/domain/counter";
import type { ServeCustomer } from "@/lib/domain/schemas/counter";
import { env } from "@/lib/env";
import { serveCustomer } from "./serve-customer";

export type ViewedCustomer = ServedCustomer & { qrCode: string };

/**
 * One customer with the picture (a PNG data URL) of the QR that is printed: it identifies and opens nothing.
 * Throws customer_not_found for another merchant's customer as for none.
 */
export async function viewCustomer(ctx: Context, input: ServeCustomer): Promise<ViewedCustomer> {
  const customer = await serveCustomer(ctx, input);
  const link = `${env().APP_URL}/topup/${customer.publicId}`;
  return { ...customer, qrCode: await QRCode.toDataURL(link, { margin: 2, width: 320 }) };
}
viewCustomer.permission = serveCustomer.permission;
