import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { Db } from "@/lib/db/client";
import type { Customer, Movement, User } from "@/lib/db/generated/client";
import {
  type MerchantFixture,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { tokenOf } from "../calls";
import { textOf } from "../mails";
import { move } from "../movements";
import type { Call } from "./exchange";

export const ACTORS = ["super", "admin", "owner", "worker", "neighbour", "pending"] as const;
export type WorldActor = (typeof ACTORS)[number];

/** The data for calls of the API: two approved merchants and a pending one, with all roles signed in. */
export type World = {
  db: Db;
  shop: MerchantFixture;
  neighbour: MerchantFixture;
  users: Record<WorldActor, User>;
  tokens: Record<WorldActor, string>;
  /** A new customer of the first merchant, with a balance (default 100 points). */
  customer(points?: number): Promise<Customer>;
  /** A new top-up at the first merchant, by its owner. */
  movement(): Promise<Pick<Movement, "id">>;
  branch(): ReturnType<typeof makeBranch>;
  worker(): Promise<User>;
  /** The text of the latest e-mail to a recipient. Waits for the first one, a minute at most. */
  mail(recipient: string): Promise<string>;
};

/** Creates the data for calls of the API. */
export async function makeWorld(db: Db): Promise<World> {
  const [shop, neighbour, waiting, superAdmin, admin] = await Promise.all([
    makeMerchant(db, { redeemAllowance: 20_000, unprovedWorkerDaily: 20_000 }),
    makeMerchant(db),
    makeMerchant(db, { status: "pending" }),
    makeAdmin(db),
    makeAdmin(db, { role: "admin" }),
  ]);
  const users = {
    super: superAdmin,
    admin,
    owner: shop.owner,
    worker: await makeWorker(db, shop),
    neighbour: neighbour.owner,
    pending: waiting.owner,
  };
  const tokens = Object.fromEntries(
    await Promise.all(ACTORS.map(async (actor) => [actor, await tokenOf(db, users[actor])] as const)),
  ) as Record<WorldActor, string>;
  const customer = async (points = 100) => {
    const made = await makeCustomer(db, shop);
    if (points > 0) await move(db, shop, made, { points });
    return made;
  };
  return {
    db,
    shop,
    neighbour,
    users,
    tokens,
    customer,
    movement: async () => move(db, shop, await makeCustomer(db, shop), { points: 40 }),
    branch: () => makeBranch(db, shop),
    worker: () => makeWorker(db, shop),
    // A server under test runs jobs too: it may be writing the e-mail now, or have sent it already.
    mail: async (recipient) => {
      for (const until = Date.now() + 60_000; ; await pause(20)) {
        const mail = await db.email.findFirst({ where: { recipient }, orderBy: { createdAt: "desc" } });
        if (mail) return textOf(mail);
        if (Date.now() > until) throw new Error(`no mail to ${recipient}`);
      }
    },
  };
}

/** A successful call, and the part of the answer's `data` that a client reads. */
export type Example = Omit<Call, "token"> & {
  /** The user whose token is sent; none for a public call. */
  as?: WorldActor;
  token?: string;
  status?: number;
  data?: unknown;
};

/** Examples by operation. Each creates the data it needs. */
export type Examples = Record<string, (world: World) => Example | Promise<Example>>;

/** Matchers for values that may be anything of a type. */
export const text = expect.any(String);
export const number = expect.any(Number);
export const list = expect.arrayContaining([]);
export const first = (row: unknown) => expect.arrayContaining([expect.objectContaining(row as object)]);
