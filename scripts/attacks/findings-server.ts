import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { registerCallerLookup } from "@/lib/api/caller-lookup";
import { knownDeviceValue } from "@/lib/secrets/known-device";
import { newAddress } from "@/lib/testing/contract/exchange";
import { makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import { serverFolder } from "../lib/build";
import { freePort } from "../postgres/port";
import type { Tally } from "./tally";
import type { Target } from "./target";

/** Pages that strangers of one address may open in a minute. */
const PAGES = 1200;

/** 7: one address uses up the pages of everybody behind it. */
export async function shutOutAddress(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const address = newAddress();
  registerCallerLookup();
  // A slow machine needs longer than the minute that is counted, so only the long form asks the server.
  const visit: Target["page"] = (path, sent) =>
    process.env.LONG === "1" ? target.page(path, sent) : target.pass(path, sent);
  const { owner } = await makeMerchant(db);
  const { cookie } = await target.panelOf(owner);
  const ways = [
    { path: "/nothing.js", method: "HEAD" },
    { path: "/nothing.js", headers: { "next-router-prefetch": "1" } },
    { path: "/nothing", method: "POST" },
    { path: "/nothing.png", cookie: `wallet_device=${"x".repeat(36)}.${"x".repeat(22)}` },
    { path: "/_next/nothing" },
  ];
  let open = 0;
  for (let n = 0; n < PAGES; n += 100) {
    const hundred = Array.from({ length: 100 }, (_, at) => {
      const { path, ...sent } = ways[at % ways.length] ?? { path: "/" };
      return visit(path, { ...sent, address });
    });
    for (const { status } of await Promise.all(hundred)) if (status !== 429) open += 1;
  }
  const more = await Promise.all(ways.map(({ path, ...sent }) => visit(path, { ...sent, address })));
  for (const [at, { status }] of more.entries())
    tally.status(status, [429], `page ${PAGES + at + 1} of a minute as ${JSON.stringify(ways[at])}`);
  tally.try(open <= PAGES, `a stranger's address opened ${open} pages in a minute`);
  const asked = await visit("/login", { address, headers: { accept: "text/html" } });
  tally.try(
    asked.status === 429 && Number(asked.headers.get("retry-after")) > 0 && asked.text.includes("<h1>"),
    "a stranger is not told when to come back",
  );
  const panel = await visit("/merchant/dashboard", { address, cookie });
  tally.status(panel.status, [200], "staff who are signed in, at that address");
  const card = await target.world.customer();
  const holder = await visit("/privacy", { address, cookie: await target.holderCookie(card.id) });
  tally.status(holder.status, [200], "a card's holder at that address");
  const device = { cookie: `wallet_device=${knownDeviceValue(null, { email: uniqueEmail() })}` };
  tally.status(
    (await visit("/privacy", { address, ...device })).status,
    [200],
    "a known device at that address",
  );
  tally.status((await visit("/privacy", { address: newAddress() })).status, [200], "another address");
}

const PATHS: [method: string, path: string][] = [
  ...["/login", "/login.js", "/nothing", "/nothing.js", "/nothing.json", "/icon.svg", "/sw.js"].map(
    (path) => ["GET", path],
  ),
  ...["/merchant/x.png", "/merchant/dashboard.txt", "/customer/loyalty-card/x.html", "/admin/a.css"].map(
    (path) => ["GET", path],
  ),
  ...["/_next/static/nothing.js", "/_next/image", "/_next/nothing", "/api/health", "/api/x.js", "/%ff"].map(
    (path) => ["GET", path],
  ),
  ...["/manifest.webmanifest", "/robots.txt", "/.well-known/x.txt", "/docs", "/privacy", "/signup"].map(
    (path) => ["GET", path],
  ),
  ...["/login", "/api/auth/login", "/nothing.js"].map((path) => ["POST", path]),
  ...["/api/", "/login/", "//nothing.example", "/merchant//dashboard"].map((path) => ["GET", path]),
  ["HEAD", "/login"],
  ["OPTIONS", "/login.js"],
] as [string, string][];

/** 12: a path with a suffix that has no policy. */
export async function findOpenPolicy(target: Target, tally: Tally): Promise<void> {
  const nonces = new Set<string>();
  for (const [method, path] of PATHS) {
    const { headers, text } = await target.page(path, { method });
    const policy = headers.get("content-security-policy") ?? "";
    const sources = [...policy.matchAll(/(?:script-src|default-src) ([^;]*)/g)].map(([, one]) => one);
    tally.try(sources.length > 0, `${method} ${path} has no policy`);
    tally.try(!sources.join().match(/unsafe-inline|\*|https?:(?!\/)/), `${method} ${path}: ${sources}`);
    tally.try(
      /base-uri 'none'/.test(policy) && /frame-ancestors 'none'/.test(policy),
      `${method} ${path}: ${policy}`,
    );
    if (!headers.get("content-type")?.includes("text/html") || method !== "GET") continue;
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
    tally.try(!nonces.has(nonce), `${path} has a nonce that another answer had`);
    nonces.add(nonce);
    const scripts = [...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    const without = scripts.filter(
      (tag) => !tag.includes(`nonce="${nonce}"`) && !tag.includes("application/json"),
    );
    tally.try(without.length === 0, `${path}: ${without[0]} has not the answer's nonce`);
  }
  tally.works(nonces.size > 2, "a page with a nonce");
}

/** 17: production starts with settings that give it away. */
export async function startUnsafe({ stage }: Target, tally: Tally): Promise<void> {
  const safe = {
    PATH: process.env.PATH ?? "",
    NODE_ENV: "production",
    APP_ENV: "production",
    HOSTNAME: "127.0.0.1",
    APP_URL: "https://wallet.example",
    AUTH_SECRET: stage.env.AUTH_SECRET,
    TRUSTED_PROXIES: "1",
    DATABASE_URL: stage.env.DATABASE_URL,
    SMTP_URL: "smtp://127.0.0.1:1",
    DATA_DIR: stage.env.DATA_DIR,
    ...{
      S3_BUCKET: "files",
      S3_ENDPOINT: "https://s3.example",
      S3_ACCESS_KEY_ID: "a",
      S3_SECRET_ACCESS_KEY: "b",
    },
  };
  const wrong: [settings: Record<string, string | undefined>, named: string[]][] = [
    [{ AUTH_SECRET: "a".repeat(64) }, ["AUTH_SECRET"]],
    [{ AUTH_SECRET: "password".repeat(8) }, ["AUTH_SECRET"]],
    [{ APP_URL: "http://wallet.example" }, ["APP_URL"]],
    [{ TRUSTED_PROXIES: undefined }, ["TRUSTED_PROXIES"]],
    [{ S3_ENDPOINT: "https://*.example" }, ["S3_ENDPOINT"]],
    [
      {
        AUTH_SECRET: "aaaa",
        APP_URL: "http://wallet.example",
        TRUSTED_PROXIES: undefined,
        SMTP_URL: undefined,
      },
      ["AUTH_SECRET", "APP_URL", "TRUSTED_PROXIES", "SMTP_URL"],
    ],
  ];
  for (const [settings, named] of process.env.LONG === "1" ? wrong : wrong.slice(-3)) {
    const env = { ...safe, ...settings, PORT: String(await freePort()) } as NodeJS.ProcessEnv;
    const args = [join(serverFolder, "server.js")];
    const options = {
      cwd: serverFolder,
      env,
      encoding: "utf8",
      timeout: 15_000,
      killSignal: "SIGKILL",
    } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    const printed = stdout + stderr;
    tally.try(status !== 0 && status !== null, `it starts with ${JSON.stringify(settings)}`);
    for (const name of named)
      tally.try(printed.includes(name), `${JSON.stringify(settings)}: ${name} is not named`);
    tally.try(!printed.includes(safe.AUTH_SECRET ?? "?"), "it prints a secret");
  }
}

/** 18: Apple's log without end, a poster that fails, and asking who is a customer. */
export async function wearOut(target: Target, tally: Tally): Promise<void> {
  const logs = Array.from({ length: 10 }, () => "x".repeat(1000));
  const sent = await Promise.all(
    Array.from({ length: 20 }, () =>
      target.api("post /wallet/v1/log", { body: { logs }, address: newAddress() }),
    ),
  );
  const written = sent.filter(({ status }) => status < 300).length * 10;
  tally.try(
    written > 0 && written * 1_000 <= 64 * 1024,
    `${written} kB of Apple's log in a minute, from 20 addresses`,
  );
  const { cookie } = await target.panelOf(target.world.users.pending);
  const poster = await target.page("/merchant/account/poster", { cookie });
  tally.status(poster.status, [403], "the poster of a pending merchant");

  const address = newAddress();
  const ask = (body: object, headers = {}, from = newAddress()) =>
    target.api("post /customer-exist", { address: from, headers, body: { sEmail: uniqueEmail(), ...body } });
  tally.status((await ask({})).status, [400], "whether an e-mail has a card, without a merchant");
  const iMerchantId = target.world.shop.merchant.id;
  const all = await Promise.all(Array.from({ length: 35 }, () => ask({ iMerchantId }, {}, address)));
  const answered = all.filter(({ status }) => status === 200).length;
  tally.try(answered <= 30, `one address learned of ${answered} e-mails in a minute`);
  // The cookie of a card does not make a new caller.
  const card = await target.world.customer();
  const holder = { cookie: await target.holderCookie(card.id) };
  tally.status(
    (await ask({ iMerchantId }, holder, address)).status,
    [429],
    "the same address with a card's cookie",
  );
}
