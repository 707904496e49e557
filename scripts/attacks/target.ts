import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { openSession } from "@/lib/accounts/session";
import type { RouteHandler } from "@/lib/api/route";
import { addCardDevice } from "@/lib/cards/card-holder";
import { createDb, type Db } from "@/lib/db/client";
import type { User } from "@/lib/db/generated/client";
import type { Role } from "@/lib/domain/roles";
import { cookieSecrets } from "@/lib/secrets/keys";
import {
  type Call,
  type CheckedAnswer,
  exchange,
  newAddress,
  OPERATIONS,
} from "@/lib/testing/contract/exchange";
import { makeWorld, type World } from "@/lib/testing/contract/world";
import { textOf } from "@/lib/testing/mails";
import { projectRoot } from "../lib/project";
import { CRON_SECRET, type Stage } from "./stage";

type Sent = {
  method?: string;
  cookie?: string;
  headers?: Record<string, string>;
  body?: string | FormData;
  address?: string;
};
export type PageAnswer = { status: number; headers: Headers; text: string };
/** The answer of a server action; `ok` is null if the action was not run at all. */
export type ActionAnswer = { ok: boolean | null; code: string | null; text: string; headers: Headers };

/** The program under attack, and the shops in it: `world` is the victim's, `rival` the attacker's. */
export class Target {
  private constructor(
    readonly stage: Stage,
    readonly db: Db,
    readonly world: World,
    readonly rival: World,
  ) {}

  static async open(stage: Stage): Promise<Target> {
    const db = createDb(stage.ownerUrl, 10);
    const [world, rival] = [await makeWorld(db), await makeWorld(db)];
    for (const one of [world, rival]) one.mail = (recipient) => target.mail(recipient);
    const target = new Target(stage, db, world, rival);
    return target;
  }

  private readonly overHttp: RouteHandler = Object.assign(
    async (request: Request) => {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("x-forwarded-for", headers.get("x-wallet-peer") ?? newAddress());
      const body = request.method === "GET" ? null : await request.arrayBuffer();
      return fetch(`${this.stage.url}${pathname}${search}`, {
        method: request.method,
        headers,
        redirect: "manual",
        ...(body === null || body.byteLength === 0 ? {} : { body }),
      });
    },
    { spec: undefined as never },
  );

  /** Makes a call of the API, such as "post /top-up-points", and compares the answer with the document. */
  async api(name: string, call: Call = {}): Promise<CheckedAnswer> {
    const operation = OPERATIONS.find((one) => one.name === name);
    if (!operation) throw new Error(`the document has no ${name}`);
    const { address = newAddress() } = call;
    const sent = { ...call, address, headers: { ...call.headers, "x-forwarded-for": address } };
    if (!this.stage.url) return exchange(operation, sent);
    return exchange({ ...operation, handler: this.overHttp }, sent);
  }

  /** Opens a page, or anything else of the server. Redirects are answered, not followed. */
  async page(
    path: string,
    { method = "GET", cookie, headers, body, address }: Sent = {},
  ): Promise<PageAnswer> {
    if (!this.stage.url) throw new Error("this needs the server");
    const answer = await fetch(`${this.stage.url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        "x-forwarded-for": address ?? newAddress(),
        ...(cookie ? { cookie } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** The server actions of the build: id, name, and a page of each. */
  readonly actions = (() => {
    let kept: { id: string; name: string; pages: string[] }[] | undefined;
    return () => {
      const file = join(projectRoot, ".next/server/server-reference-manifest.json");
      kept ??= Object.entries(
        (JSON.parse(readFileSync(file, "utf8")) as { node: Record<string, ManifestEntry> }).node,
      ).map(([id, { exportedName, workers }]) => ({ id, name: exportedName, pages: Object.keys(workers) }));
      return kept;
    };
  })();

  /** Runs a server action by its name, as a browser's POST to `path` does. */
  async action(path: string, name: string, args: unknown[], sent: Sent = {}): Promise<ActionAnswer> {
    const id = this.actions().find((one) => one.name === name)?.id;
    if (!id) throw new Error(`the build has no action ${name}`);
    const { text, headers } = await this.page(path, {
      ...sent,
      method: "POST",
      headers: {
        "next-action": id,
        "content-type": "text/plain;charset=UTF-8",
        accept: "text/x-component",
        origin: this.stage.url ?? "",
        ...sent.headers,
      },
      body: JSON.stringify(args),
    });
    const ok = /"ok":(true|false)/.exec(text)?.[1];
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? null;
    return { ok: ok === undefined ? null : ok === "true", code, text, headers };
  }

  /**
   * A panel's session that has just confirmed who it is, and its cookie. `as` answers the cookie with another role in it,
   * as a cookie has that is older than a change of the role: it opens pages, and must open nothing else.
   */
  async panelOf(user: Pick<User, "id" | "role">, since = new Date()) {
    const from = { userId: user.id, userAgent: null, address: "127.0.0.1", now: since };
    const session = await openSession(this.db, from);
    const steppedUpUntil = new Date(Date.now() + 3_600_000);
    await this.db.session.update({ where: { id: session.id }, data: { steppedUpUntil } });
    const as = async (role: Role) => {
      const token = { sid: session.id, handle: session.handle, role };
      const value = await encode({ token, secret: cookieSecrets() ?? [], salt: SESSION_COOKIE });
      return `${SESSION_COOKIE}=${value}`;
    };
    return { id: session.id, handle: session.handle, cookie: await as(user.role), as };
  }

  /** A new holder's cookie of a card. */
  async holderCookie(customerId: string): Promise<string> {
    return `wallet_card_${customerId}=${await addCardDevice(this.db, customerId, new Date())}`;
  }

  /** Runs what waits: jobs and e-mails. */
  async runJobs(): Promise<void> {
    await this.api("get /cron", { headers: { authorization: `Bearer ${CRON_SECRET}` } });
  }

  /** The text of the latest e-mail to a recipient, delivered or not, whose text matches. */
  async mail(recipient: string, wanted = /./): Promise<string> {
    for (const until = Date.now() + 15_000; Date.now() < until; ) {
      const mails = await this.db.email.findMany({ where: { recipient }, orderBy: { id: "desc" } });
      const inAMinute = new Date(Date.now() + 60_000);
      // The newest, sent or on its way; not one that waits until its recipient has proved the mailbox.
      for (const mail of mails) {
        if (mail.status === "queued" && mail.claimedBy === null && mail.nextTryAt > inAMinute) continue;
        const text = await textOf(mail);
        if (wanted.test(text)) return text;
      }
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`no mail to ${recipient} with ${wanted}`);
  }

  /** The six-digit code of the latest e-mail to a recipient. */
  async code(recipient: string): Promise<string> {
    const text = await this.mail(recipient, /(?<![\w-])\d{6}(?![\w-])/);
    return /(?<![\w-])\d{6}(?![\w-])/.exec(text)?.[0] ?? "";
  }
}

type ManifestEntry = { exportedName: string; workers: Record<string, unknown> };
