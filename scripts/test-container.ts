import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { s3Server } from "@/lib/testing/s3-server";
import { smtpServer } from "@/lib/testing/smtp-server";
import {
  afterEarlyAnswers,
  type Client,
  pooledClient,
  SERVER_NAME,
  startCaddy,
} from "@/lib/testing/trials/container/proxy";
import {
  type Composed,
  composeFile,
  environmentOf,
  inContainer,
} from "@/lib/testing/trials/container/served";
import { openShop, postJson } from "@/lib/testing/trials/faults/load";
import { Table } from "@/lib/testing/trials/trials";
import { ensureBuild, ensureClient } from "./lib/build";
import { folderUntilEnd, runCommand, untilEnd } from "./lib/command";
import { migrate } from "./lib/migrate";
import { serveBuilt, untilReady } from "./lib/serve";
import { onPath } from "./lib/tools";
import { freePort } from "./postgres/port";
import { connected, type Postgres, startPostgres } from "./postgres/server";

const table = new Table(58);
const TIMES = 100;
const MB = 1024 * 1024;
/** The environments that docker-compose.yml gives, on this machine's services. */
function environments(
  postgres: Postgres,
  port: number,
  mailPort: number,
  store: Record<string, string>,
): Composed {
  const password = (url: string) => decodeURIComponent(new URL(url).password);
  const { services } = composeFile({
    APP_URL: `https://${SERVER_NAME}:${port}`,
    AUTH_SECRET: randomBytes(36).toString("base64"),
    POSTGRES_PASSWORD: password(postgres.ownerUrl()),
    APPLICATION_PASSWORD: password(postgres.url()),
    ...store,
  });
  const hosts = { "database:5432": new URL(postgres.url()).host, "mail:1025": `127.0.0.1:${mailPort}` };
  return {
    services,
    app: environmentOf(services.app, hosts),
    migrate: environmentOf(services.migrate, hosts),
  };
}

async function roles({ app, migrate: owner }: Composed): Promise<string> {
  assert.equal(app.DATABASE_OWNER_URL, undefined, "the server has the owner's password");
  assert.ok(owner.DATABASE_OWNER_URL);
  assert.notEqual(new URL(app.DATABASE_URL ?? "").username, new URL(owner.DATABASE_OWNER_URL).username);
  await migrate(owner.DATABASE_OWNER_URL, { application: owner.DATABASE_URL ?? "" });
  const refused = await connected(app.DATABASE_URL ?? "", (client) =>
    client.query("update movements set points = 0").catch((error: pg.DatabaseError) => error.code),
  );
  assert.equal(refused, "42501", "the application's role writes movements");
  return "the server has the application's role alone, which may not write movements";
}

/** Early answers on one connection, a hundred times each; then nothing may hang. */
async function early(client: Client, name: string, cases: [path: string, bytes: number][]): Promise<void> {
  for (const [path, bytes] of cases) {
    await table.try(`${name}: after ${(bytes / MB).toFixed(1)} MB to ${path}`, async () => {
      const { wrong, reason, early } = await afterEarlyAnswers(client, path, bytes, TIMES);
      assert.equal(wrong, 0, `${wrong} next requests failed: ${reason}; early: ${early}`);
      return `${TIMES} next requests answered; ${early}`;
    });
  }
}

/** Checks the rules by the caller's address, through the proxy from several addresses of this machine. */
async function addresses(client: (from: string) => Client, databaseUrl: string): Promise<string> {
  const json = (value: object) => Buffer.from(JSON.stringify(value));
  const body = json({ sEmail: "someone@wallet.example" });
  const ask = (from: Client, n: number) =>
    from.ask({
      method: "POST",
      path: "/api/auth/merchant/email-exist",
      body,
      headers: {
        "x-forwarded-for": `192.0.2.${n}`,
        "x-wallet-peer": `192.0.2.${n}`,
        "x-real-ip": `192.0.2.${n}`,
      },
    });
  const [one, other] = [client("127.0.0.2"), client("127.0.0.3")];
  const statuses: number[] = [];
  for (let n = 1; n <= 40; n++) statuses.push((await ask(one, n)).status);
  assert.equal(statuses.filter((status) => status === 429).length, 10, "forged addresses are not believed");
  assert.equal((await ask(other, 1)).status, 200, "another client has a budget of its own");
  const signIn = json({ sEmail: "nobody@wallet.example", sPassword: "a wrong password" });
  await other.ask({ method: "POST", path: "/api/auth/login", body: signIn });
  const { rows } = await connected(databaseUrl, (db) =>
    db.query("select distinct content->>'address' as address from audit_texts where part = 'place'"),
  );
  assert.deepEqual(
    rows.map(({ address }) => address),
    ["127.0.0.3"],
    "the audit log has the client's address",
  );
  for (const client of [one, other]) client.close();
  return "limits and the audit log have the client's own; forged headers are not believed";
}

/** Top-ups that are on their way when the server is asked to end. */
const IN_FLIGHT = 40;

/** A shop with one worker, and what its counter posts at this server. */
async function openCounter(url: string, ownerUrl: string) {
  const { merchantId, branchId, customers, tokens } = await openShop(ownerUrl, 1, IN_FLIGHT);
  const acknowledged = new Set<string>();
  /** One top-up. Answers its status, or the error's code where the connection was refused or broken. */
  const topUp = async (nth: number): Promise<string> => {
    const key = randomUUID();
    const body = { customerId: customers[nth % customers.length], sPoints: 3, iBranchId: branchId };
    const headers = { authorization: tokens[0], "idempotency-key": key };
    try {
      const { status, text } = await postJson(`${url}/api/top-up-points`, body, headers);
      if (status === 200) acknowledged.add(key);
      return status === 200 ? "200" : `${status} ${text.slice(0, 200)}`;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  };
  /** Fails unless the ledger has what was acknowledged, and nothing else. */
  const compare = async (): Promise<void> => {
    const { rows } = await connected(ownerUrl, (db) =>
      db.query("select idempotency_key as key from movements where merchant_id = $1", [merchantId]),
    );
    const found = rows.map(({ key }) => key);
    assert.deepEqual(found.sort(), [...acknowledged].sort(), "the ledger has what was acknowledged");
  };
  return {
    /** A top-up, which the ledger then has. */
    async serves(): Promise<string> {
      assert.equal(await topUp(0), "200");
      await compare();
      return "3 points, one movement";
    },
    /** Asks for top-ups, ends the server while they are on their way, and compares. */
    async ends(stop: () => Promise<string>): Promise<string> {
      const answers = Array.from({ length: IN_FLIGHT }, (_, nth) => topUp(nth));
      await Promise.race([...answers, pause(10_000)]);
      const ended = await stop();
      const statuses = Map.groupBy(await Promise.all(answers), (status) => status);
      const summary = [...statuses].map(([status, all]) => `${all.length} x ${status}`).join(", ");
      // A request that came too late is refused a connection, and none is left without an answer.
      const wrong = [...statuses.keys()].filter((status) => !/^(200|503|ECONNREFUSED)/.test(status));
      assert.deepEqual(wrong, [], summary);
      await compare();
      return `${summary}; ${ended}`;
    },
  };
}

// npm run test:container: the image, compose's settings and both database roles, Caddy with TLS in front, and clients whose
// connection outlives answers that came before the body was read. CONTAINER_KEEP, a folder, keeps the engine's store, so that
// the next run has the layers that are the same.
await runCommand(async () => {
  await ensureClient();
  const folder = folderUntilEnd("container");
  const postgres = await untilEnd(startPostgres({ dataDir: join(folder, "data"), throwaway: true }));
  const [mail, store] = [await untilEnd(smtpServer()), await untilEnd(s3Server())];
  const [appPort, tlsPort] = [await freePort(), await freePort()];
  const composed = environments(postgres, tlsPort, mail.port, store.settings);
  await table.try("docker-compose.yml: two database roles", () => roles(composed));
  const kept = process.env.CONTAINER_KEEP;
  const contained =
    process.argv[2] === "proxy"
      ? undefined
      : await inContainer(kept ?? join(folder, "engine"), appPort, composed, table);
  let stop = contained?.stop;
  if (!stop) {
    await ensureBuild();
    const env: NodeJS.ProcessEnv = { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...composed.app };
    const server = await untilEnd(serveBuilt({ env, port: appPort, host: "127.0.0.1", output: "keep" }));
    await untilReady(`http://127.0.0.1:${appPort}`, server);
    stop = async () => {
      process.kill(await server.pid, "SIGTERM");
      await server.gone;
      return "it ended by itself, outside of a container";
    };
  }
  const counter = await openCounter(`http://127.0.0.1:${appPort}`, postgres.ownerUrl());
  await table.try("a top-up", () => counter.serves());
  const answeredEarly: [string, number][] = [
    ["/api/auth/login", 1 * MB],
    ["/api/top-up-points", 1 * MB],
    ["/login", 2 * MB],
  ];
  await early(pooledClient({ port: appPort }), "direct", answeredEarly);
  const command = onPath("caddy");
  if (!command) table.notRun("behind Caddy", "caddy is not installed (apt-get install caddy)");
  else {
    const caddy = await untilEnd(startCaddy(command, join(folder, "caddy"), tlsPort, appPort));
    const tls = { ca: caddy.ca, servername: SERVER_NAME };
    const from = (address: string) => pooledClient({ port: tlsPort, tls, from: address });
    const client = from("127.0.0.1");
    await table.try("behind Caddy: TLS", async () => {
      const { status, headers } = await client.ask({ path: "/login" });
      assert.equal(status, 200);
      assert.match(headers["strict-transport-security"] ?? "", /max-age/);
      return "a page over a verified certificate, with Strict-Transport-Security";
    });
    await table.try("behind Caddy: addresses", () => addresses(from, postgres.ownerUrl()));
    await table.try("behind Caddy: bodies are limited", async () => {
      const { status } = await client.ask({
        method: "POST",
        path: "/api/auth/login",
        body: Buffer.alloc(7 * MB),
      });
      assert.equal(status, 413);
      return `7 MB: ${status}`;
    });
    await early(client, "behind Caddy", [...answeredEarly, ["/api/auth/login", 7 * MB]]);
  }
  const ending = stop;
  await table.try("SIGTERM while top-ups are on their way", () => counter.ends(ending));
  return table.end();
});
