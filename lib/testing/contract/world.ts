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
import { move } from "../movements";
import type { Call } from "./exchange";

export const ACTORS = ["super", "admin", "owner", "worker", "neighbour", "pending"] as const;
export type Who = (typeof ACTORS)[number];

/** Two merchants and one that waits, with all roles signed in: what calls of the API are played against. */
export type World = {
  db: Db;
  house: MerchantFixture;
  neighbour: MerchantFixture;
  users: Record<Who, User>;
  tokens: Record<Who, string>;
  /** A fresh customer of the house with a balance. */
  customer(points?: number): Promise<Customer>;
  /** A fresh top-up of the house, by its owner. */
  movement(): Promise<Pick<Movement, "id">>;
  branch(): ReturnType<typeof makeBranch>;
  worker(): Promise<User>;
  /** The text of the latest e-mail to somebody. */
  mail(recipient: string): Promise<string>;
};

export async function makeWorld(db: Db): Promise<World> {
  const [house, neighbour, waiting, superAdmin, admin] = await Promise.all([
    makeMerchant(db, { redeemAllowance: 20_000 }),
    makeMerchant(db),
    makeMerchant(db, { status: "pending" }),
    makeAdmin(db),
    makeAdmin(db, { role: "admin" }),
  ]);
  const users = {
    super: superAdmin,
    admin,
    owner: house.owner,
    worker: await makeWorker(db, house),
    neighbour: neighbour.owner,
    pending: waiting.owner,
  };
  const tokens = Object.fromEntries(
    await Promise.all(ACTORS.map(async (who) => [who, await tokenOf(db, users[who])] as const)),
  ) as Record<Who, string>;
  const customer = async (points = 100) => {
    const made = await makeCustomer(db, house);
    if (points > 0) await move(db, house, made, { points });
    return made;
  };
  return {
    db,
    house,
    neighbour,
    users,
    tokens,
    customer,
    movement: async () => move(db, house, await makeCustomer(db, house), { points: 40 }),
    branch: () => makeBranch(db, house),
    worker: () => makeWorker(db, house),
    mail: async (recipient) =>
      (await db.email.findFirstOrThrow({ where: { recipient }, orderBy: { createdAt: "desc" } })).text,
  };
}

/** A call that succeeds, and what a client of the specification reads from its answer's `data`. */
export type Example = Omit<Call, "token"> & {
  /** Whose token goes with it; none for a public call. */
  as?: Who;
  token?: string;
  status?: number;
  data?: unknown;
};

/** By operation: makes what the call needs, and the call. */
export type Examples = Record<string, (world: World) => Example | Promise<Example>>;

/** What an example expects of an answer where the value itself does not matter. */
export const text = expect.any(String);
export const number = expect.any(Number);
export const list = expect.arrayContaining([]);
export const first = (row: unknown) => expect.arrayContaining([expect.objectContaining(row as object)]);
