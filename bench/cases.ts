import { randomUUID } from "node:crypto";
import type { Ask } from "./http-load";
import { BRANCH, CUSTOMERS, customerId } from "./posting-rows";
import type { Session, Sessions } from "./sessions";

/** A row of the table: pgbench on the function, an answer of the empty Next, or a call or page of the program. */
export type Case = { name: string; clients: number } & (
  | { kind: "pgbench"; hot: boolean }
  | { kind: "empty"; path: string }
  | { kind: "http"; posts?: true; ask: Asking }
  /** What a chain sends at its peak: `measured` is the part whose answers count. */
  | { kind: "chain"; measured: keyof typeof CHAIN }
);
type Asking = (sessions: Sessions, client: number, nth: number) => Ask;

const MANY = 64;
/** The clients take turns with all sessions, so that no session meets its limit. */
const turn = (list: Session[], client: number, nth: number): Session =>
  list[(client + nth * MANY) % list.length] ?? { token: "", cookie: "", customers: [] };

const asTopUp =
  (customer: () => string): Asking =>
  ({ workers }, client, nth) => ({
    path: "/api/top-up-points",
    headers: { authorization: turn(workers, client, nth).token, "idempotency-key": randomUUID() },
    body: { customerId: customer(), sPoints: 1, iBranchId: BRANCH },
  });

const topUp = (name: string, clients: number, customer: () => string): Case => ({
  name,
  clients,
  kind: "http",
  posts: true,
  ask: asTopUp(customer),
});

const get = (name: string, path: (session: Session, nth: number) => string): Case => ({
  name,
  clients: MANY,
  kind: "http",
  ask: ({ owners }, client, nth) => {
    const session = turn(owners, client, nth);
    return { path: path(session, nth), headers: { authorization: session.token } };
  },
});

const page = (who: keyof Sessions, name: string, path: string): Case => ({
  name,
  clients: MANY,
  kind: "http",
  ask: (sessions, client, nth) => ({ path, headers: { cookie: turn(sessions[who], client, nth).cookie } }),
});

const anyone = () => customerId(Math.floor(Math.random() * CUSTOMERS));
const one = (session: Session, nth: number) => session.customers[nth % session.customers.length] ?? "";
const PAGES: [keyof Sessions, string][] = [
  ["workers", "/employee/topup"],
  ["owners", "/merchant/customers"],
  ["owners", "/merchant/transactions"],
  ["owners", "/merchant/dashboard"],
];
/** A chain at its peak, as requests a second. */
export const CHAIN = {
  postings: { pace: 50, ask: asTopUp(anyone) },
  pages: {
    pace: 20,
    ask: ((sessions, client, nth) => {
      const [who, path] = PAGES[client % PAGES.length] ?? ["owners", "/merchant/dashboard"];
      return { path, headers: { cookie: turn(sessions[who], client, nth).cookie } };
    }) satisfies Asking,
  },
};
const NAMES = ["omar", "fatima", "khalid", "layla"];

export const CASES: Case[] = [
  ...[1, 16, MANY].flatMap((clients): Case[] => [
    { name: `pgbench, ${clients}`, clients, kind: "pgbench", hot: false },
    { name: `pgbench hot card, ${clients}`, clients, kind: "pgbench", hot: true },
  ]),
  { name: "Next: no-op handler", clients: MANY, kind: "empty", path: "/api/noop" },
  { name: "Next: empty page", clients: MANY, kind: "empty", path: "/" },
  get("GET profile", () => "/api/profile"),
  get("GET customer view", (session, nth) => `/api/customer-management/view/${one(session, nth)}`),
  get("GET transactions?limit=20", () => "/api/transactions?limit=20"),
  get("GET customer-management", () => "/api/customer-management"),
  get("GET search", (_, nth) => `/api/top-up-points/search-customers?search=${NAMES[nth % NAMES.length]}`),
  page("workers", "page: counter", "/employee/topup"),
  page("owners", "page: customers", "/merchant/customers"),
  page("owners", "page: transactions", "/merchant/transactions"),
  page("owners", "page: dashboard", "/merchant/dashboard"),
  { name: "chain: postings", clients: 1, kind: "chain", measured: "postings" },
  { name: "chain: pages", clients: 1, kind: "chain", measured: "pages" },
  topUp("POST top-up, one client", 1, anyone),
  topUp("POST top-up", MANY, anyone),
  topUp("POST top-up, hot card", MANY, () => customerId(1)),
];

type Value = "rate" | "p50" | "p99";
/** A quotient of two values of the same round, the greater the better. Of several names, the best rate counts. */
export type Ratio = { name: string; above: [string, Value]; below: [string | string[], Value] };

export const RATIOS: Ratio[] = [
  {
    name: "POST top-up / best pgbench",
    above: ["POST top-up", "rate"],
    below: [["pgbench, 1", "pgbench, 16", "pgbench, 64"], "rate"],
  },
  {
    name: "POST top-up hot card / best pgbench hot card",
    above: ["POST top-up, hot card", "rate"],
    below: [["pgbench hot card, 1", "pgbench hot card, 16", "pgbench hot card, 64"], "rate"],
  },
  {
    name: "pgbench p50 / POST top-up p50, one client",
    above: ["pgbench, 1", "p50"],
    below: ["POST top-up, one client", "p50"],
  },
  {
    name: "pgbench p50, one client / POST top-up p99",
    above: ["pgbench, 1", "p50"],
    below: ["POST top-up", "p99"],
  },
  ...["GET profile", "GET customer view", "POST top-up"].map(
    (name): Ratio => ({
      name: `${name} / Next's no-op handler`,
      above: [name, "rate"],
      below: ["Next: no-op handler", "rate"],
    }),
  ),
  ...["counter", "customers", "transactions", "dashboard"].map(
    (name): Ratio => ({
      name: `page: ${name} / Next's empty page`,
      above: [`page: ${name}`, "rate"],
      below: ["Next: empty page", "rate"],
    }),
  ),
];
