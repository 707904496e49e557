import { crc32, deflateSync } from "node:zlib";
import QRCode from "qrcode";
import { recordOpening } from "@/lib/audit/audit";
import type { Context } from "@/lib/db/context";
import { customerOfEitherId } from "@/lib/db/query";
import { authorize, hasPermission, merchantWhere, type StaffActor } from "@/lib/domain/actor";
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
import { readServed, worth } from "./served-customer";

/** Modules of light space around the code, and pixels of the picture's side. */
const MARGIN = 2;
const SIDE = 320;
/**
 * Pictures that are kept, of about 1.5 kB each: drawing one takes longer than everything else that opening a customer
 * does.
 */
const KEPT = 2_000;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const drawn = new Map<string, string>();

/** A part of a PNG file: its length, name and data, and their checksum. */
function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

/** Which module each pixel of a row or column shows; -1 in the light space. The same rounding as the library's drawing. */
function modulesAlong(size: number): number[] {
  const scale = SIDE / (size + 2 * MARGIN);
  const [side, space] = [Math.floor((size + 2 * MARGIN) * scale), MARGIN * scale];
  return Array.from({ length: side }, (_, at) =>
    at >= space && at < side - space ? Math.floor((at - space) / scale) : -1,
  );
}

/** The pixels of a code: one bit each, 1 is light; each row starts with the number of its filter, 0. */
function pixelsOf(modules: { size: number; data: Uint8Array }): { side: number; pixels: Buffer } {
  const { size, data } = modules;
  const along = modulesAlong(size);
  const row = Math.ceil(along.length / 8) + 1;
  const pixels = Buffer.alloc(row * along.length, 0xff);
  for (const [y, down] of along.entries()) {
    pixels[y * row] = 0;
    if (down < 0) continue;
    for (const [x, across] of along.entries()) {
      if (across < 0 || !data[down * size + across]) continue;
      const at = y * row + 1 + (x >> 3);
      pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7));
    }
  }
  return { side: along.length, pixels };
}

function draw(text: string): string {
  const { side, pixels } = pixelsOf(QRCode.create(text).modules);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit a pixel, black and white.
  header[8] = 1;
  const parts = [
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return `data:image/png;base64,${Buffer.concat(parts).toString("base64")}`;
}

/** The picture of the QR code of a text, as a data URL: a black and white PNG, 320 pixels wide. */
export function printedCode(text: string): string {
  const known = drawn.get(text);
  if (known) return known;
  const made = draw(text);
  drawn.set(text, made);
  // The oldest is first.
  if (drawn.size > KEPT) drawn.delete(drawn.keys().next().value ?? "");
  return made;
}

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

async function open(ctx: Context<StaffActor>, { customerId }: ServeCustomer) {
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
  keyScope: "customers.read",
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
    const { pockets, held, rate } = await pocketsAt(ctx.db, privateId, input.at);
    return { ...customer, ...worth(pockets, rate ?? customer.rate), held, qrCode };
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
