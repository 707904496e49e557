import { randomUUID } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { tokenOf } from "@/lib/testing/calls";
import { makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { withDb } from "@/scripts/lib/with-db";

/** At least so many customers, and one more for each so many postings: no card reaches the highest balance. */
const CUSTOMERS = 16;
const POSTINGS_PER_CUSTOMER = 1_000;
/** So many of them have the card in Apple and Google Wallet. */
const WITH_PASS = 10;
/** Of so many postings one redeems; the others top up. */
const REDEEMS = 5;
const PAUSE = 50;
/** Milliseconds after which a posting without a definite answer ends the run: longer than any fault lasts. */
const GIVE_UP = 180_000;

/** Milliseconds without a sign of life after which a client gives a request up. */
const PATIENCE = 30_000;
// The clients share the processor with what they ask: fetch takes several times as much of it.
const agent = new http.Agent({ keepAlive: true });

type Answered = { status: number; headers: http.IncomingHttpHeaders; text: string };
type Sent = https.RequestOptions & { headers: http.OutgoingHttpHeaders; body?: Buffer | string | undefined };

/** Sends a request, with a JSON body if any. Throws an Error with a `code` where no whole answer comes: the outcome is open. */
export function send(url: string, { body, ...given }: Sent): Promise<Answered> {
  const ofBody = body && { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const options = { timeout: PATIENCE, ...given, headers: { ...given.headers, ...ofBody } };
  return new Promise((done, fail) => {
    const { request } = url.startsWith("https:") ? https : http;
    const sent = request(url, options, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      text(answer).then((read) => done({ status, headers, text: read }), fail);
    });
    sent.on("timeout", () => {
      sent.destroy(Object.assign(new Error(`no answer in ${options.timeout} ms`), { code: "ETIMEDOUT" }));
    });
    sent.on("error", fail);
    sent.end(body);
  });
}

/** POSTs JSON over a connection that others use too. */
export const postJson = (url: string, body: object, headers: http.OutgoingHttpHeaders = {}) =>
  send(url, { agent, method: "POST", headers, body: JSON.stringify(body) });

/** A broken connection, a server that is away, an answer that is not whole: the outcome is open. */
const isOpen = (error: unknown): boolean =>
  error instanceof SyntaxError || (error instanceof Error && "code" in error);

/** A server may only fail with 503, and says when to come again. */
const isSenseless = (status: number, retryAfter: unknown): boolean =>
  status >= 500 && !(status === 503 && Boolean(retryAfter));

type Request = { path: string; body: object; headers: Record<string, string> };
type Posting = { key: string; customerId: string; path: string; points: number };
/** The answer that a client got for a posting: the movement's id, or the code of a final refusal. */
type Answer = { movementId: string | null; refusal?: string | undefined };

export type Shop = {
  merchantId: string;
  branchId: string;
  customers: string[];
  /** The session of each worker. A password costs as much of the processor as many postings, and no fault is about it. */
  tokens: string[];
  /** The address of a picture that is in the file store's hands. */
  image: string;
};

// Each movement of such a card is reported to Apple and Google.
const savedPass = () => ({
  authToken: randomUUID(),
  googleSaved: true,
  registrations: { create: { deviceId: randomUUID(), pushToken: randomUUID() } },
});

/** A merchant without daily limits, with customers for so many postings and as many workers as there are clients. */
export function openShop(url: string, clients: number, postings: number): Promise<Shop> {
  return withDb(url, async (db) => {
    const free = { redeemAllowance: 1_000_000_000, unprovedWorkerDaily: 1_000_000_000 };
    const shop = await makeMerchant(db, free);
    const merchantId = shop.merchant.id;
    const many = Math.ceil(CUSTOMERS + postings / POSTINGS_PER_CUSTOMER);
    const customers = await Promise.all(
      Array.from({ length: many }, async (_, nth) => {
        const { id } = await makeCustomer(db, shop);
        if (nth < WITH_PASS) await db.pass.create({ data: { customerId: id, ...savedPass() } });
        return id;
      }),
    );
    const openSession = async () => tokenOf(db, await makeWorker(db, shop));
    const tokens = await Promise.all(Array.from({ length: clients }, openSession));
    const key = `images/${randomUUID()}.webp`;
    const picture = { key, fileName: "front.jpg", contentType: "image/webp", category: "image" } as const;
    await db.upload.create({
      data: { ...picture, address: "127.0.0.1", merchantId, attachedAt: new Date() },
    });
    return { merchantId, branchId: shop.branch.id, customers, tokens, image: `/api/media/${key}` };
  });
}

type Body = { code?: string; data?: Record<string, string> };

/**
 * Clients at the counters of a shop, each signed in as a different employee. A client repeats every posting
 * with its key, at the next server, until it has a definite answer.
 */
export class Load {
  /** Each posting's key, with its answer once it has one. */
  readonly postings = new Map<string, Posting & { answer?: Answer }>();
  private last = 0;
  private silence = 0;
  /** Postings with an answer. */
  acknowledged = 0;
  /** Answers by HTTP status, the open ones (no answer) as 0. */
  readonly statuses = new Map<number, number>();
  /** Answers that tell a client nothing: 5xx other than 503 with Retry-After. Status and body, and how often. */
  readonly senseless = new Map<string, number>();
  /** Why a client gave up. */
  private failure: unknown;

  constructor(
    private readonly urls: () => string[],
    readonly shop: Shop,
    /** More headers of each request, and how long a client waits after each answer, in milliseconds. */
    private readonly options: { headers?: Record<string, string>; pace?: number } = {},
  ) {}

  /** The longest time, in milliseconds, in which no client got an answer. */
  get longestSilence(): number {
    return Math.round(this.silence);
  }

  /** The same since it was last asked here, for each of several steps. */
  takeSilence(): number {
    const longest = Math.max(this.silence, performance.now() - this.last);
    this.silence = 0;
    return Math.round(longest);
  }

  private heard(): void {
    const now = performance.now();
    this.silence = Math.max(this.silence, now - this.last);
    this.last = now;
    this.acknowledged++;
  }

  /** Waits until so many postings have an answer. Fails with a client that gave up. */
  async reach(count: number): Promise<void> {
    for (; this.acknowledged < count; await pause(20)) if (this.failure) throw this.failure;
  }

  /**
   * Repeats a request, at the next server each time, until `read` finds a definite answer in the status and the body. `client`
   * tells which server is the first.
   */
  async insist<Body, T>(
    { path, body, headers }: Request,
    client: number,
    read: (status: number, answer: Body) => T | undefined,
  ): Promise<T> {
    const until = performance.now() + GIVE_UP;
    let seen = "";
    for (let attempt = client; performance.now() < until; attempt++) {
      const urls = this.urls();
      let status = 0;
      try {
        const sent = { ...this.options.headers, ...headers };
        const answer = await postJson(`${urls[attempt % urls.length]}${path}`, body, sent);
        const { text } = answer;
        status = answer.status;
        seen = `${status} ${text.slice(0, 200)}`;
        if (isSenseless(status, answer.headers["retry-after"])) this.countSenseless(status, text);
        const told = read(status, JSON.parse(text) as Body);
        if (told !== undefined) return told;
      } catch (error) {
        if (!isOpen(error)) throw error;
        if (status === 0) seen = String(error);
      } finally {
        this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      }
      await pause(PAUSE);
    }
    throw new Error(`${path} had no definite answer in ${GIVE_UP / 1_000} s; the last: ${seen}`);
  }

  private post({ key, customerId, path, points }: Posting, authorization: string, client: number) {
    const body = { customerId, sPoints: points, iBranchId: this.shop.branchId };
    const request = { path, body, headers: { authorization, "idempotency-key": key } };
    return this.insist(request, client, (status, { code, data }: Body): Answer | undefined => {
      if (status === 200) return { movementId: data?._id ?? "" };
      return status < 500 && status !== 429 ? { movementId: null, refusal: code } : undefined;
    });
  }

  countSenseless(status: number, text: string): void {
    const seen = `${status} ${text.slice(0, 200)}`;
    this.senseless.set(seen, (this.senseless.get(seen) ?? 0) + 1);
  }

  /**
   * Reads an address once. An answer that tells nothing counts as senseless, and none within `patience` ms does too. Answers
   * the status, 0 without an answer.
   */
  async read(url: string, name: string, patience: number, init: RequestInit): Promise<number> {
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(patience) });
      const text = await answer.text();
      const isWrong = isSenseless(answer.status, answer.headers.get("retry-after"));
      if (isWrong) this.countSenseless(answer.status, `${name}: ${text}`);
      return answer.status;
    } catch (error) {
      this.countSenseless(0, `${name}: ${error}`);
      return 0;
    }
  }

  /** The same of a path at each server. */
  async look(path: string, patience: number, headers: Record<string, string> = {}): Promise<void> {
    await Promise.all(this.urls().map((url) => this.read(url + path, path, patience, { headers })));
  }

  /** One top-up of this customer, sent once. Answers the status and, in seconds, Retry-After. */
  async askOnce(customerId: string): Promise<string> {
    const body = { customerId, sPoints: 1, iBranchId: this.shop.branchId };
    const [authorization] = this.shop.tokens;
    const { status, headers } = await postJson(`${this.urls()[0]}/api/top-up-points`, body, {
      authorization,
    });
    return `${status}, Retry-After ${headers["retry-after"] ?? "missing"}`;
  }

  /**
   * Posts until `count` postings have an answer, or until `during` has ended if that is later. `avoid` is a customer whom
   * nobody serves. Fails with `during`.
   */
  async run(count: number, during: () => Promise<unknown> = async () => {}, avoid?: string): Promise<void> {
    const customers = this.shop.customers.filter((id) => id !== avoid);
    this.last = performance.now();
    let [begun, isOver] = [0, false];
    const client = async (token: string, index: number) => {
      while (begun < count || !isOver) {
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
        const answer = await this.post(posting, token, index);
        this.postings.set(posting.key, { ...posting, answer });
        this.heard();
        if (this.options.pace) await pause(this.options.pace);
      }
    };
    const fault = during().finally(() => {
      isOver = true;
    });
    const clients = Promise.all(this.shop.tokens.map(client)).catch((error: unknown) => {
      this.failure = error;
      throw error;
    });
    await Promise.all([fault, clients]);
  }
}
