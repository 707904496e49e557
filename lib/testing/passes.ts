import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Db } from "@/lib/db/client";
import { topUp } from "@/lib/ledger/move-points";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "./factories";
import { testFolder } from "./folder";

/** A customer of a new merchant with Arabic names, and a way to top the card up. */
export async function makePassCard(db: Db) {
  const shop = await makeMerchant(db, { businessName: "كرك هاوس Karak House" });
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop, { fullName: "ليلى حداد" });
  const ctx = contextOf(db, worker);
  const add = (points: number) => topUp(ctx, { customerId: customer.id, points, branchId: shop.branch.id });
  return { shop, customer, add };
}

/** The folder into which the pass of an answer was unpacked. */
export async function unpackPass(response: Response): Promise<string> {
  const folder = testFolder("pass");
  writeFileSync(join(folder, "card.pkpass"), Buffer.from(await response.arrayBuffer()));
  execFileSync("unzip", ["-q", "card.pkpass", "-d", "."], { cwd: folder });
  return folder;
}

type PassJson = {
  serialNumber: string;
  passTypeIdentifier: string;
  authenticationToken: string;
  backgroundColor: string;
  barcodes: { message: string }[];
  storeCard: { headerFields: { value: number }[] };
};

/** The pass.json of an unpacked pass. */
export const readPassJson = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "pass.json"), "utf8")) as PassJson;

type Handler = (request: Request, context: { params: Record<string, string> }) => Promise<Response>;

/** Calls a route handler with a real Request. */
export const callPass = (
  handler: Handler,
  params: Record<string, string>,
  init: RequestInit = {},
  query = "",
) => handler(new Request(`http://localhost:3000/api${query}`, init), { params });
