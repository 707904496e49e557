import { findCustomers, searchPanel } from "@/lib/counter/find";
import { readServed } from "@/lib/counter/serve-customer";
import { listCustomers } from "@/lib/customers/list-customers";
import { type CustomersFilter, listCustomersSchema } from "@/lib/customers/model/customers";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { addDays, qatarDay } from "@/lib/domain/time";
import type { MovementFilter } from "@/lib/ledger/model/movement-queries";
import { MOVEMENT_TYPES } from "@/lib/ledger/model/movements";
import { TENDERS } from "@/lib/ledger/model/tender";
import { movementTotals } from "@/lib/ledger/movement-totals";
import { listMovements, statement } from "@/lib/ledger/read-movements";
import { customerTotals, dashboard } from "@/lib/reports/dashboard";
import { liability, liabilityDays } from "@/lib/reports/liability";
import { HOME_PERIODS } from "@/lib/reports/model/owner-home";
import { ownerHome } from "@/lib/reports/owner-home";
import type { Reader, Seeded } from "./growth-world";

/** An operation of the program. */
export type GrowthCase = {
  name: string;
  run: (world: Seeded, nth: number) => Promise<unknown>;
};

const one = <T>(list: readonly T[], nth: number): T => {
  const found = list[nth % list.length];
  if (found === undefined) throw new Error("The database holds nothing of a kind that is asked for.");
  return found;
};
const ownerOf = ({ owners }: Seeded, merchantId: string): Reader => {
  const found = owners.find((owner) => owner.merchantId === merchantId);
  if (!found) throw new Error("A merchant has no owner.");
  return found;
};
const cardOf = (world: Seeded, nth: number) => one(world.cards, nth * 7 + 3);
const NAMES = ["omar", "fatima", "khalid", "layla", "haddad", "الكواري", "maria santos", "ليلى"];
/** Spans of the year in days before today, by turns. */
const SPANS = [
  [-7, 0],
  [-30, -1],
  [-200, -190],
  [-300, -1],
  [-1, -1],
] as const;
const spanOf = (nth: number): { from: string; to: string } => {
  const [first, last] = one(SPANS, nth);
  const today = qatarDay(new Date());
  return { from: addDays(today, first), to: addDays(today, last) };
};

const find = (name: string, term: (world: Seeded, nth: number) => string, role: "owners" | "workers") => ({
  name: `counter: ${name}`,
  run: (world: Seeded, nth: number) => {
    const { merchantId } = cardOf(world, nth);
    const reader = one(
      world[role].filter((each) => each.merchantId === merchantId),
      nth,
    );
    return findCustomers(reader.ctx, { search: term(world, nth) });
  },
});

/** A first page, one deep in the log, and a filtered one with and without days, for who reads. */
function logOf(who: string, read: (world: Seeded, nth: number) => Reader & { ctx: Context }): GrowthCase[] {
  const page = (
    name: string,
    filter: (world: Seeded, nth: number) => MovementFilter & { cursor?: string },
  ) => ({
    name: `log of ${who}: ${name}`,
    run: (world: Seeded, nth: number) => listMovements(read(world, nth).ctx, filter(world, nth)),
  });
  const total = (name: string, filter: (world: Seeded, nth: number) => MovementFilter) => ({
    name: `totals of ${who}: ${name}`,
    run: (world: Seeded, nth: number) => movementTotals(read(world, nth).ctx, filter(world, nth)),
  });
  const anywhere = ({ places }: Seeded, nth: number) => one(places, nth * 11).id;
  const kind = (nth: number) => ({ type: one(MOVEMENT_TYPES, nth) });
  const isOwn = who === "a worker";
  return [
    page("first page", () => ({})),
    page("any page", (world, nth) => ({ cursor: anywhere(world, nth) })),
    page("days", (_, nth) => spanOf(nth)),
    page("a type", (_, nth) => kind(nth)),
    page("a type, any page", (world, nth) => ({ ...kind(nth), cursor: anywhere(world, nth) })),
    page("a tender", (_, nth) => ({ tender: one(TENDERS, nth) })),
    page("a branch, any page", (world, nth) => ({
      branchId: read(world, nth).branchId,
      cursor: anywhere(world, nth),
    })),
    total("everything", () => ({})),
    total("days", (_, nth) => spanOf(nth)),
    total("a type", (_, nth) => kind(nth)),
    total("a branch", (world, nth) => ({ branchId: read(world, nth).branchId })),
    total("a tender, days", (_, nth) => ({ tender: one(TENDERS, nth), ...spanOf(nth) })),
    ...(isOwn
      ? []
      : [
          page("a worker", (world, nth) => ({ workerId: read(world, nth).workerId })),
          total("a worker", (world, nth) => ({ workerId: read(world, nth).workerId })),
          total("a tender", (_, nth) => ({ tender: one(TENDERS, nth) })),
          total("a role", () => ({ actorRole: "branch_worker" })),
          page("a name", (_, nth) => ({ search: one(NAMES, nth) })),
          page("an e-mail", (world, nth) => ({ search: cardOf(world, nth).email })),
          page("a bill number", (world, nth) => ({ search: one(world.places, nth).saleRef ?? "B-1" })),
          total("an e-mail", (world, nth) => ({ search: cardOf(world, nth).email })),
          total("a name", (_, nth) => ({ search: one(NAMES, nth) })),
        ]),
  ];
}

const customersOf = (
  who: string,
  ctxOf: (world: Seeded, nth: number) => Context,
  name: string,
  filter: (world: Seeded, nth: number) => Partial<CustomersFilter> & { cursor?: string; page?: number },
): GrowthCase => ({
  name: `customers of ${who}: ${name}`,
  run: (world, nth) => listCustomers(ctxOf(world, nth), listCustomersSchema.parse(filter(world, nth))),
});

const asOwner = (world: Seeded, nth: number): Reader => one(world.owners, nth);
const asAdmin = (world: Seeded, nth: number): Reader => ({
  ...one(world.owners, nth),
  ctx: world.admin,
});

function customersCases(who: string, read: typeof asOwner): GrowthCase[] {
  const ctxOf = (world: Seeded, nth: number) => read(world, nth).ctx;
  return [
    ...(["-joined", "joined", "name", "-name"] as const).flatMap((sort) => [
      customersOf(who, ctxOf, `by ${sort}`, () => ({ sort })),
      customersOf(who, ctxOf, `by ${sort}, any page`, (world, nth) => ({
        sort,
        cursor: world.cards.filter(
          (card) => who !== "an owner" || card.merchantId === read(world, nth).merchantId,
        )[nth % 15]?.id,
      })),
    ]),
    customersOf(who, ctxOf, "a name", (_, nth) => ({ search: one(NAMES, nth) })),
    customersOf(who, ctxOf, "an e-mail", (world, nth) => ({ search: cardOf(world, nth).email })),
    customersOf(who, ctxOf, "a name, by name", (_, nth) => ({ search: one(NAMES, nth), sort: "name" })),
    customersOf(who, ctxOf, "blocked", () => ({ status: "blocked" as const })),
  ];
}

const panel = (who: string, read: typeof asOwner): GrowthCase[] =>
  [
    ["a name", (_: Seeded, nth: number) => one(NAMES, nth)] as const,
    ["an e-mail", (world: Seeded, nth: number) => cardOf(world, nth).email] as const,
    ["a phone", (world: Seeded, nth: number) => cardOf(world, nth).phone.slice(-6)] as const,
    ["a bill number", (world: Seeded, nth: number) => one(world.places, nth).saleRef ?? "B-1"] as const,
  ].map(([name, term]) => ({
    name: `search of ${who}: ${name}`,
    run: (world, nth) => searchPanel(read(world, nth).ctx, { search: term(world, nth) }),
  }));

export const GROWTH: GrowthCase[] = [
  {
    name: "counter: a card",
    run: (world, nth) => {
      const { publicId, merchantId } = cardOf(world, nth);
      const { actor } = ownerOf(world, merchantId).ctx;
      return readServed(world.admin.db, authorize(actor, "customers.find"), publicId, new Date(), actor);
    },
  },
  find("a card id", (world, nth) => cardOf(world, nth).publicId, "workers"),
  find("an e-mail", (world, nth) => cardOf(world, nth).email, "workers"),
  find("a phone", (world, nth) => cardOf(world, nth).phone, "workers"),
  find("a full name", (world, nth) => cardOf(world, nth).fullName, "workers"),
  find("a common name", (_, nth) => one(NAMES, nth), "workers"),
  find("a part of a phone", (world, nth) => cardOf(world, nth).phone.slice(-5), "owners"),
  ...panel("an owner", asOwner),
  ...panel("an administrator", asAdmin),
  ...logOf("an owner", asOwner),
  ...logOf("a worker", (world, nth) => one(world.workers, nth)),
  ...logOf("an administrator", asAdmin),
  ...customersCases("an owner", asOwner),
  customersOf(
    "an owner",
    (world, nth) => asOwner(world, nth).ctx,
    "dormant",
    () => ({ show: "dormant" as const }),
  ),
  customersOf(
    "an owner",
    (world, nth) => asOwner(world, nth).ctx,
    "top",
    () => ({ show: "top" as const }),
  ),
  ...customersCases("an administrator", asAdmin),
  { name: "dashboard of an administrator", run: ({ admin }) => dashboard(admin, {}) },
  ...HOME_PERIODS.map((period) => ({
    name: `home of an owner: ${period}`,
    run: (world: Seeded, nth: number) => ownerHome(asOwner(world, nth).ctx, { period, ...spanOf(nth) }),
  })),
  {
    name: "day of a worker",
    run: (world, nth) => {
      const { ctx } = one(world.workers, nth);
      const day = qatarDay(new Date());
      const today = { from: day, to: day };
      return Promise.all([
        listMovements(ctx, { ...today, limit: 50 }),
        movementTotals(ctx, today),
        movementTotals(ctx, { ...today, type: "REVERSAL" }),
      ]);
    },
  },
  {
    name: "customers in numbers, an owner",
    run: (world, nth) => customerTotals(asOwner(world, nth).ctx, {}),
  },
  {
    name: "customers in numbers, an administrator",
    run: ({ admin }) => customerTotals(admin, {}),
  },
  {
    name: "liability, an owner",
    run: (world, nth) => liability(asOwner(world, nth).ctx, spanOf(nth)),
  },
  { name: "liability, an administrator", run: ({ admin }, nth) => liability(admin, spanOf(nth)) },
  { name: "liability by day", run: ({ admin }, nth) => liabilityDays(admin, spanOf(nth)) },
  {
    name: "a card's statement",
    run: (world, nth) => {
      const { id, merchantId } = cardOf(world, nth);
      return statement(ownerOf(world, merchantId).ctx, { customerId: id });
    },
  },
];
