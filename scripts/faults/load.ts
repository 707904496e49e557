import { randomUUID } from "node:crypto";
import { createDb, type Db } from "@/lib/db/client";
import { makeCustomer, makeMerchant, makeWorker, PASSWORD } from "@/lib/testing/factories";

const CUSTOMERS = 50;
/** Of so many postings one redeems; the others top up. */
const REDEEMS = 5;
const PATIENCE = 30_000;
const PAUSE = 50;

type Posting = { key: string; customerId: string; path: string; points: number };
/** What a client learned of a posting: the movement's id, or that it was refused for good. */
type Answer = { movementId: string | null };

export type Shop = { merchantId: string; branchId: string; customers: string[]; workers: string[] };

/** Does the work on a connection of its own to this database. */
export async function withDb<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = createDb(url, 4);
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}

/** A merchant without daily limits, with customers and as many workers as there are clients. */
export function openShop(url: string, clients: number): Promise<Shop> {
  return withDb(url, async (db) => {
    const free = { redeemAllowance: 1_000_000_000, unprovedWorkerDaily: 1_000_000_000 };
    const shop = await makeMerchant(db, free);
    const customers: string[] = [];
    for (let nth = 0; nth < CUSTOMERS; nth++) customers.push((await makeCustomer(db, shop)).id);
    const workers: string[] = [];
    for (let nth = 0; nth < clients; nth++) workers.push((await makeWorker(db, shop)).email);
    return { merchantId: shop.merchant.id, branchId: shop.branch.id, customers, workers };
  });
}

/** A broken connection, a server that is away, an answer that is not whole: the outcome is open. */
const isOpen = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (error instanceof Error && (error.cause !== undefined || error.name === "TimeoutError"));

async function call(url: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE),
  });
  return { status: answer.status, body: (await answer.json()) as { data?: Record<string, string> } };
}

/**
 * Clients at the counters of a shop, each signed in as a worker of its own. Every posting is repeated with its key, at
 * the next server, until it has a definite answer.
 */
export class Load {
  /** Each posting's key, with its answer once it has one. */
  readonly postings = new Map<string, Posting & { answer?: Answer }>();
  private tokens: string[] = [];
  private stopped = false;
  private last = 0;
  private silence = 0;
  /** Answers by HTTP status, the open ones (no answer) as 0. */
  readonly statuses = new Map<number, number>();

  constructor(
    private readonly urls: () => string[],
    readonly shop: Shop,
    /** More headers of each request. */
    private readonly headers: Record<string, string> = {},
  ) {}

  async signIn(): Promise<void> {
    for (const sEmail of this.shop.workers) {
      const { body } = await call(`${this.urls()[0]}/api/auth/login`, { sEmail, sPassword: PASSWORD });
      this.tokens.push(body.data?.token ?? "");
    }
  }

  /** The longest time, in milliseconds, in which no client got an answer. */
  get longestSilence(): number {
    return Math.round(this.silence);
  }

  get acknowledged(): number {
    return [...this.postings.values()].filter(({ answer }) => answer).length;
  }

  private heard(): void {
    const now = performance.now();
    this.silence = Math.max(this.silence, now - this.last);
    this.last = now;
  }

  private async insist(posting: Posting, token: string, client: number): Promise<Answer> {
    const body = {
      customerId: posting.customerId,
      sPoints: posting.points,
      iBranchId: this.shop.branchId,
    };
    for (let attempt = client; ; attempt++) {
      const urls = this.urls();
      let status = 0;
      try {
        const headers = { ...this.headers, authorization: token, "idempotency-key": posting.key };
        const answer = await call(`${urls[attempt % urls.length]}${posting.path}`, body, headers);
        status = answer.status;
        if (status === 200) return { movementId: answer.body.data?._id ?? "" };
        if (status < 500 && status !== 429) return { movementId: null };
      } catch (error) {
        if (!isOpen(error)) throw error;
      } finally {
        this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      }
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }

  /** One top-up of this customer, sent once. Answers the status and, in seconds, Retry-After. */
  async askOnce(customerId: string): Promise<string> {
    const answer = await fetch(`${this.urls()[0]}/api/top-up-points`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: this.tokens[0] ?? "" },
      body: JSON.stringify({ customerId, sPoints: 1, iBranchId: this.shop.branchId }),
    });
    return `${answer.status}, Retry-After ${answer.headers.get("retry-after") ?? "missing"}`;
  }

  /**
   * Posts until `count` postings have an answer, or until `during` has ended if that is later. `avoid` is a customer whom
   * nobody serves. Fails with `during`.
   */
  async run(count: number, during: () => Promise<void> = async () => {}, avoid?: string): Promise<void> {
    const customers = this.shop.customers.filter((id) => id !== avoid);
    this.last = performance.now();
    this.stopped = false;
    let begun = 0;
    const client = async (token: string, index: number) => {
      while (begun < count || !this.stopped) {
        const nth = begun++;
        const isRedeem = nth % REDEEMS === REDEEMS - 1;
        const posting: Posting = {
          key: randomUUID(),
          // Some top-ups of a customer, then a redemption, at several counters at once.
          customerId: customers[Math.floor(nth / REDEEMS) % customers.length] ?? "",
          path: isRedeem ? "/api/redeem-points" : "/api/top-up-points",
          points: isRedeem ? 1 : 1 + (nth % 2),
        };
        this.postings.set(posting.key, posting);
        const answer = await this.insist(posting, token, index);
        this.postings.set(posting.key, { ...posting, answer });
        this.heard();
      }
    };
    const fault = during().finally(() => {
      this.stopped = true;
    });
    await Promise.all([fault, ...this.tokens.map(client)]);
  }
}
