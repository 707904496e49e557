import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { s3Server } from "@/lib/testing/s3-server";
import { smtpServer } from "@/lib/testing/smtp-server";
import { ensureBuild } from "@/scripts/lib/build";
import { folderUntilEnd, untilEnd } from "@/scripts/lib/command";
import { migrate } from "@/scripts/lib/migrate";
import { serveReady, untilReady } from "@/scripts/lib/serve";
import { onPath } from "@/scripts/lib/tools";
import { freePort } from "@/scripts/postgres/port";
import { connected, startPostgres } from "@/scripts/postgres/server";
import { type Client, pooledClient, SERVER_NAME, startCaddy } from "./container/proxy";
import { composeFile, Engine, environmentOf } from "./container/served";
import { openShop, postJson } from "./faults/load";

const MB = 1024 * 1024;
/** Early answers of each kind. */
const TIMES = 100;
/** Top-ups that are on their way when the server is asked to end. */
const IN_FLIGHT = 40;
/** The longest that a server may take to end after SIGTERM, in seconds. */
const DRAIN_SECONDS = 15;

// The image, compose's settings and both database roles, Caddy with TLS in front, and clients whose connection outlives
// answers that came before the body was read.
const folder = folderUntilEnd("container");
const postgres = await untilEnd(startPostgres({ dataDir: join(folder, "data"), throwaway: true }));
const [mail, store] = [await untilEnd(smtpServer()), await untilEnd(s3Server())];
const [port, tlsPort] = [await freePort(), await freePort()];
const base = `http://127.0.0.1:${port}`;

const password = (url: string) => decodeURIComponent(new URL(url).password);
const { services } = composeFile({
  APP_URL: `https://${SERVER_NAME}:${tlsPort}`,
  AUTH_SECRET: randomBytes(36).toString("base64"),
  POSTGRES_PASSWORD: password(postgres.ownerUrl()),
  APPLICATION_PASSWORD: password(postgres.url()),
  ...store.settings,
});
const hosts = { "database:5432": new URL(postgres.url()).host, "mail:1025": `127.0.0.1:${mail.port}` };
const [app, owner] = [environmentOf(services.app, hosts), environmentOf(services.migrate, hosts)];
await migrate(owner.DATABASE_OWNER_URL ?? "", { application: owner.DATABASE_URL ?? "" });
const shop = await openShop(postgres.ownerUrl(), 1, IN_FLIGHT);

/** Ends the server that serves, and answers how it ended. */
let stop: (() => Promise<string>) | undefined;

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.message;
const counts = (all: string[]): string =>
  [...Map.groupBy(all, (one) => one)].map(([one, { length }]) => `${length} x ${one}`).join(", ");

describe("the image", () => {
  // CONTAINER_KEEP, a folder, keeps the engine's store, so that the next run has the layers that are the same.
  const engine = new Engine(process.env.CONTAINER_KEEP ?? join(folder, "engine"));
  let lacking: string | undefined;
  let id = "";
  beforeAll(() => {
    lacking = engine.prepare();
  });
  beforeEach(({ skip }) => skip(lacking !== undefined, lacking));

  test("the Dockerfile's target tools is built, in a chroot", () => {
    engine.build("tools");
  });

  test("its target app is built, without packages or sources", () => {
    engine.build("app");
    const files = engine.start("wallet-app", {}, ["--rm"], "ls", "-a", "/app");
    expect(files).not.toMatch(/^(app|lib|prisma|scripts|package-lock\.json|\.git|\.env.*)$/m);
    console.log(engine.size("wallet-app"));
  });

  test("npm run migrate in the image of the tools", () => {
    const printed = engine.start("wallet-tools", owner, ["--rm", "--tmpfs=/tmp"]);
    console.log(printed.trim().split("\n").at(-1));
  });

  test("it serves as the user node, without a capability, on a read-only file system", async () => {
    const { read_only, tmpfs = [] } = services.app ?? {};
    expect(read_only).toBe(true);
    const writable = tmpfs.map((one) => `--tmpfs=${one.replace(/:.*/, ":rw,mode=1777")}`);
    const env = { ...app, PORT: String(port), HOSTNAME: "127.0.0.1" };
    id = engine.start("wallet-app", env, ["--detach", "--init", ...writable]).trim();
    await untilReady(base, { ended: () => false, gone: Promise.resolve("") }).catch((error: unknown) => {
      throw new Error(`${error}\n${engine.run("logs", id).slice(-2_000)}`);
    });
    expect(engine.run("exec", id, "id", "-u").trim()).toBe("1000");
    expect(engine.run("exec", id, "sh", "-c", "touch /app/x 2>&1 || true")).toMatch(/Read-only/);
    expect(engine.run("exec", id, "grep", "CapEff", "/proc/self/status")).toMatch(/0{16}/);
    stop = async () => {
      const began = Date.now();
      // SIGKILL would follow after so many seconds.
      engine.run("stop", "--time", String(DRAIN_SECONDS), id);
      const seconds = (Date.now() - began) / 1_000;
      const code = engine.run("inspect", "--format", "{{.State.ExitCode}}", id).trim();
      // 143 is the server's own word for SIGTERM, 137 would be the kill.
      expect(code, engine.run("logs", id).slice(-2_000)).toMatch(/^(0|143)$/);
      return `exit code ${code} after ${seconds.toFixed(1)} s`;
    };
  });

  test("its health check", () => {
    engine.run("healthcheck", "run", id);
  });
});

/** Serves outside of a container. Answers how it is ended. */
async function serveHere(): Promise<() => Promise<string>> {
  await ensureBuild();
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...app };
  const server = await serveReady({ env, port, host: "127.0.0.1", output: "keep" });
  return async () => {
    process.kill(await server.pid, "SIGTERM");
    await server.gone;
    return "it ended by itself, outside of a container";
  };
}

const acknowledged = new Set<string>();

/** One top-up. Answers its status, or the error's code where the connection was refused or broken. */
async function topUp(nth: number): Promise<string> {
  const key = randomUUID();
  const customerId = shop.customers[nth % shop.customers.length];
  const body = { customerId, sPoints: 3, iBranchId: shop.branchId };
  const headers = { authorization: shop.tokens[0], "idempotency-key": key };
  return postJson(`${base}/api/top-up-points`, body, headers).then(({ status, text }) => {
    if (status === 200) acknowledged.add(key);
    return status === 200 ? "200" : `${status} ${text.slice(0, 200)}`;
  }, codeOf);
}

/** The ledger has what was acknowledged, and nothing else. */
async function compare(): Promise<void> {
  const { rows } = await connected(postgres.ownerUrl(), (db) =>
    db.query("select idempotency_key as key from movements where merchant_id = $1", [shop.merchantId]),
  );
  expect(rows.map(({ key }) => key).sort()).toEqual([...acknowledged].sort());
}

const EARLY: [megabytes: number, path: string][] = [
  [1, "/api/auth/login"],
  [1, "/api/top-up-points"],
  [2, "/login"],
];

/** Sends bodies that are answered before they were read. The client's next request must not hang. */
async function early(client: Client, megabytes: number, path: string): Promise<void> {
  const body = Buffer.alloc(megabytes * MB, 97);
  const answers: string[] = [];
  while (answers.length < TIMES) {
    // A client that still sends when the answer comes may see the connection end. It loses only this request.
    const first = client.ask({ method: "POST", path, body });
    answers.push(await first.then(({ status }) => String(status), codeOf));
    expect((await client.ask({ path: "/api/health" })).status, counts(answers)).toBe(200);
  }
  console.log(counts(answers));
}

const post = (client: Client, path: string, body: object, headers: Record<string, string> = {}) =>
  client.ask({ method: "POST", path: `/api/auth/${path}`, body: Buffer.from(JSON.stringify(body)), headers });

/** Asks with headers that name another address each time. Answers the status. */
async function askWithForged(client: Client, n: number): Promise<number> {
  const address = `192.0.2.${n}`;
  const headers = { "x-forwarded-for": address, "x-wallet-peer": address, "x-real-ip": address };
  return (await post(client, "merchant/email-exist", { sEmail: "someone@wallet.example" }, headers)).status;
}

describe("the server, alone and behind a proxy", () => {
  beforeAll(async () => {
    stop ??= await serveHere();
  });

  test("compose gives it the application's role alone, which may not write movements", async () => {
    expect(app.DATABASE_OWNER_URL).toBeUndefined();
    const [own, owners] = [app.DATABASE_URL ?? "", owner.DATABASE_OWNER_URL ?? ""];
    expect(new URL(own).username).not.toBe(new URL(owners).username);
    const refused = await connected(own, (client) =>
      client.query("update movements set points = 0").catch((error: pg.DatabaseError) => error.code),
    );
    expect(refused).toBe("42501");
  });

  test("a top-up is a movement", async () => {
    expect(await topUp(0)).toBe("200");
    await compare();
  });

  const direct = pooledClient({ port });
  test.each(EARLY)("after %d MB to %s the next request is answered", (megabytes, path) =>
    early(direct, megabytes, path),
  );

  describe("behind Caddy", () => {
    const command = onPath("caddy");
    let from: (address: string) => Client;
    let client: Client;
    beforeAll(async () => {
      if (!command) return;
      const { ca } = await untilEnd(startCaddy(command, join(folder, "caddy"), tlsPort, port));
      from = (address) =>
        pooledClient({ port: tlsPort, tls: { ca, servername: SERVER_NAME }, from: address });
      client = from("127.0.0.1");
    });
    beforeEach(({ skip }) => skip(!command, "caddy is not installed (apt-get install caddy)"));

    test("a page over a verified certificate, with Strict-Transport-Security", async () => {
      const { status, headers } = await client.ask({ path: "/login" });
      expect(status).toBe(200);
      expect(headers["strict-transport-security"]).toMatch(/max-age/);
    });

    test("limits and the audit log have the client's own address, and believe no header", async () => {
      const [one, other] = [from("127.0.0.2"), from("127.0.0.3")];
      const statuses: number[] = [];
      for (let n = 1; n <= 40; n++) statuses.push(await askWithForged(one, n));
      expect(statuses.filter((status) => status === 429)).toHaveLength(10);
      expect(await askWithForged(other, 1), "another client has its own budget").toBe(200);
      await post(other, "login", { sEmail: "nobody@wallet.example", sPassword: "a wrong password" });
      const { rows } = await connected(postgres.ownerUrl(), (db) =>
        db.query("select distinct content->>'address' as address from audit_texts where part = 'place'"),
      );
      expect(rows).toEqual([{ address: "127.0.0.3" }]);
      for (const client of [one, other]) client.close();
    });

    test("a body of 7 MB is refused", async () => {
      const body = Buffer.alloc(7 * MB);
      expect((await client.ask({ method: "POST", path: "/api/auth/login", body })).status).toBe(413);
    });

    test.each([...EARLY, [7, "/api/auth/login"] as const])(
      "after %d MB to %s the next request is answered",
      (megabytes, path) => early(client, megabytes, path),
    );
  });

  test("SIGTERM while top-ups are on their way loses none", async () => {
    const answers = Array.from({ length: IN_FLIGHT }, (_, nth) => topUp(nth));
    await Promise.race([...answers, pause(10_000)]);
    const ended = await stop?.();
    const statuses = await Promise.all(answers);
    // A request that came too late is refused a connection, and none is left without an answer.
    expect(statuses.filter((status) => !/^(200|503|ECONNREFUSED)/.test(status))).toEqual([]);
    await compare();
    console.log(`${counts(statuses)}; ${ended}`);
  });
});
