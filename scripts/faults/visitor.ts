import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { openSession } from "@/lib/accounts/session";
import { addCardDevice } from "@/lib/cards/card-holder";
import { cookieSecrets } from "@/lib/secrets/keys";
import { projectRoot } from "../lib/project";
import { isSenseless } from "./ask";
import { type Load, withDb } from "./load";
import type { Program } from "./program";

type Sight = { name: string; path: string; init?: RequestInit; only?: number };

/** The id of a server action of the build. */
function actionId(name: string): string {
  const file = join(projectRoot, ".next/server/server-reference-manifest.json");
  const { node } = JSON.parse(readFileSync(file, "utf8")) as {
    node: Record<string, { exportedName: string }>;
  };
  const [id] = Object.entries(node).find(([, { exportedName }]) => exportedName === name) ?? [];
  if (!id) throw new Error(`the build has no action ${name}`);
  return id;
}

/** A page's data, as the browser asks for it when it goes from page to page. */
const RSC = { rsc: "1" };

/**
 * Answers the addresses that an owner, a card's holder, a supervisor and a program look at, each with its
 * headers.
 */
async function sightsOf(program: Program, load: Load): Promise<Sight[]> {
  const { merchantId, customers } = load.shop;
  const [customerId = ""] = customers;
  const { cookie, token, holder } = await withDb(program.ownerUrl, async (db) => {
    const owner = await db.user.findFirstOrThrow({ where: { merchantId, role: "merchant_owner" } });
    const from = { userId: owner.id, userAgent: null, address: "127.0.0.1", now: new Date() };
    const session = await openSession(db, from);
    process.env.AUTH_SECRET = program.secret;
    const named = { sid: session.id, handle: session.handle, role: owner.role };
    const value = await encode({ token: named, secret: cookieSecrets() ?? [], salt: SESSION_COOKIE });
    const secret = await addCardDevice(db, customerId, new Date());
    return {
      token: session.token,
      cookie: `${SESSION_COOKIE}=${value}`,
      holder: `wallet_card_${customerId}=${secret}`,
    };
  });
  const authorization = token;
  const action = (name: string, given: object): Sight => ({
    name: `the action ${name}`,
    path: "/merchant/branches",
    init: {
      method: "POST",
      headers: {
        cookie,
        "next-action": actionId(name),
        "content-type": "text/plain;charset=UTF-8",
        accept: "text/x-component",
        origin: program.urls[0] ?? "",
      },
      body: JSON.stringify([given]),
    },
  });
  const page = (path: string, headers: Record<string, string>): Sight[] => [
    { name: path, path, init: { headers } },
    // Next sends it to an address that names what was asked for.
    { name: `${path} as data`, path, init: { headers: { ...headers, ...RSC }, redirect: "follow" } },
  ];
  return [
    {
      name: "health with a token",
      path: "/api/health",
      init: { headers: { authorization, cookie } },
      only: 200,
    },
    { name: "readiness with a token", path: "/api/ready", init: { headers: { authorization, cookie } } },
    { name: "readiness", path: "/api/ready" },
    { name: "a list", path: "/api/branches", init: { headers: { authorization } } },
    { name: "the session", path: "/api/auth/session", init: { headers: { cookie } } },
    { name: "a download", path: "/api/transactions/export", init: { headers: { authorization } } },
    ...page("/merchant/branches", { cookie }),
    ...page("/merchant/transactions", { cookie }),
    ...page("/merchant/dashboard", { cookie }),
    ...page(`/customer/loyalty-card/${customerId}`, { cookie: holder }),
    ...page("/login", {}),
    action("countNoticesAction", {}),
    action("createBranchAction", { name: "While nobody keeps it", city: "Doha" }),
  ];
}

/** One look at everything at once: an answer that tells nothing, or none within `patience` milliseconds, counts. */
async function lookAt(sights: Sight[], load: Load, url: string, patience: number): Promise<void> {
  await Promise.all(
    sights.map(async ({ name, path, init = {}, only }) => {
      try {
        const answer = await fetch(url + path, {
          redirect: "manual",
          ...init,
          signal: AbortSignal.timeout(patience),
        });
        const text = await answer.text();
        const wrong = isSenseless(answer.status, answer.headers.get("retry-after"));
        if (wrong || (only && answer.status !== only)) load.countSenseless(answer.status, `${name}: ${text}`);
        load.seen.add(`${name} ${answer.status}`);
      } catch (error) {
        load.countSenseless(0, `${name}: ${String(error)}`);
      }
    }),
  );
}

/** Looks at pages, lists and actions again and again while `during` runs; each of them is answered, or refused with 503. */
export async function lookAround(program: Program, load: Load, during: () => Promise<void>): Promise<void> {
  const sights = await sightsOf(program, load);
  let isOver = false;
  const url = program.urls[0] ?? "";
  const looking = (async () => {
    while (!isOver) await lookAt(sights, load, url, 30_000);
  })();
  await during().finally(() => {
    isOver = true;
  });
  await looking;
}
