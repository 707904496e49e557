import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { s3Server } from "@/lib/testing/s3-server";
import { smtpServer } from "@/lib/testing/smtp-server";
import { SERVER_NAME, startCaddy } from "./container/caddy";
import { composeServices, environmentOf } from "./container/compose";
import { Engine } from "./container/image";
import { afterEarlyAnswers, type Client, pooledClient } from "./container/pooled";
import { ensureBuild } from "./lib/build";
import { atEnd, runCommand } from "./lib/ending";
import { migrate } from "./lib/migrate";
import { serveBuilt, untilReady } from "./lib/serve";
import { freePort } from "./postgres/port";
import { type Postgres, startPostgres, temporaryDataDir } from "./postgres/server";

const TIMES = 100;
const MB = 1024 * 1024;
let [passed, failed] = [0, 0];

/** One row of the table; `work` answers a remark. */
async function row(name: string, work: () => Promise<string>): Promise<boolean> {
  try {
    const remark = await work();
    passed++;
    console.log(`held     ${name.padEnd(58)} ${remark}`);
    return true;
  } catch (error) {
    failed++;
    console.log(`FAILED   ${name.padEnd(58)} ${error instanceof Error ? error.message : error}`);
    return false;
  }
}
const notRun = (name: string, why: string) => console.log(`not run  ${name.padEnd(58)} ${why}`);

/** The environments that docker-compose.yml gives, on this machine's services. */
function environments(postgres: Postgres, port: number, mailPort: number, store: string) {
  const password = (url: string) => decodeURIComponent(new URL(url).password);
  const services = composeServices({
    APP_URL: `https://${SERVER_NAME}:${port}`,
    AUTH_SECRET: randomBytes(36).toString("base64"),
    POSTGRES_PASSWORD: password(postgres.ownerUrl()),
    APPLICATION_PASSWORD: password(postgres.url()),
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER",
    S3_ENDPOINT: store,
  });
  const hosts = { "database:5432": new URL(postgres.url()).host, "mail:1025": `127.0.0.1:${mailPort}` };
  return {
    services,
    app: environmentOf(services.app, hosts),
    migrate: environmentOf(services.migrate, hosts),
  };
}

type Composed = ReturnType<typeof environments>;

async function roles({ app, migrate: owner }: Composed): Promise<string> {
  assert.equal(app.DATABASE_OWNER_URL, undefined, "the server has the owner's password");
  assert.ok(owner.DATABASE_OWNER_URL);
  assert.notEqual(new URL(app.DATABASE_URL ?? "").username, new URL(owner.DATABASE_OWNER_URL).username);
  await migrate(owner.DATABASE_OWNER_URL, { application: owner.DATABASE_URL ?? "" });
  const client = new pg.Client({ connectionString: app.DATABASE_URL });
  await client.connect();
  const refused = await client
    .query("update movements set points = 0")
    .catch((error: pg.DatabaseError) => error.code);
  await client.end();
  assert.equal(refused, "42501", "the application's role writes movements");
  return "the server has the application's role alone, which may not write movements";
}

/** Builds the image and serves from it, as compose would; undefined where no engine runs. */
async function inContainer(folder: string, port: number, composed: Composed): Promise<string | undefined> {
  const engine = Engine.open(folder);
  if (typeof engine === "string") {
    notRun("the image is built and served", engine);
    return undefined;
  }
  mkdirSync(folder, { recursive: true });
  atEnd(() => engine.close());
  const base = engine.base(folder);
  if ("reason" in base) {
    notRun("the image is built and served", base.reason);
    return undefined;
  }
  const built = await row("both targets of the Dockerfile are built, in a chroot", async () => {
    engine.build("tools");
    engine.build("app");
    return `base: ${base.from}`;
  });
  if (!built) return undefined;
  await row("npm run migrate in the image of the tools", async () => {
    const printed = engine.start("wallet-tools", composed.migrate, ["--rm", "--tmpfs=/tmp"]);
    return printed.trim().split("\n").at(-1) ?? "";
  });
  const tmpfs = (composed.services.app?.tmpfs ?? []).map(
    (one) => `--tmpfs=${one.replace(/:.*/, ":rw,mode=1777")}`,
  );
  assert.equal(composed.services.app?.read_only, true);
  const env = { ...composed.app, PORT: String(port), HOSTNAME: "127.0.0.1" };
  const id = engine.start("wallet-app", env, ["--detach", "--init", ...tmpfs]).trim();
  atEnd(() => void engine.run("rm", "--force", "--time", "10", id));
  const served = await row("it serves as the user node, on a read-only file system", async () => {
    await untilReady(`http://127.0.0.1:${port}`, { ended: () => false });
    assert.equal(engine.run("exec", id, "id", "-u").trim(), "1000");
    const writes = engine.run("exec", id, "sh", "-c", "touch /app/x 2>&1 || true");
    assert.match(writes, /Read-only/);
    assert.match(engine.run("exec", id, "grep", "CapEff", "/proc/self/status"), /0{16}/);
    return "no capability, no root, nothing writable but its tmpfs";
  });
  await row("its health check", async () => {
    engine.run("healthcheck", "run", id);
    return "healthy";
  });
  return served ? id : undefined;
}

/** Early answers on one connection, a hundred times each; then nothing may hang. */
async function early(client: Client, name: string, cases: [path: string, bytes: number][]): Promise<void> {
  for (const [path, bytes] of cases) {
    await row(`${name}: after ${(bytes / MB).toFixed(1)} MB to ${path}`, async () => {
      const { wrong, reason, early } = await afterEarlyAnswers(client, path, bytes, TIMES);
      assert.equal(wrong, 0, `${wrong} next requests failed: ${reason}; early: ${early}`);
      return `${TIMES} next requests answered; ${early}`;
    });
  }
}

/** What the address decides, asked through the proxy from several addresses of this machine. */
async function addresses(client: (from: string) => Client, databaseUrl: string): Promise<string> {
  const body = Buffer.from(JSON.stringify({ sEmail: "someone@wallet.example" }));
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
  const signIn = Buffer.from(
    JSON.stringify({ sEmail: "nobody@wallet.example", sPassword: "a wrong password" }),
  );
  await other.ask({ method: "POST", path: "/api/auth/login", body: signIn });
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const { rows } = await db.query(
    "select distinct content->>'address' as address from audit_texts where part = 'place'",
  );
  await db.end();
  assert.deepEqual(
    rows.map(({ address }) => address),
    ["127.0.0.3"],
    "the audit log has the client's address",
  );
  for (const client of [one, other]) client.close();
  return "limits and the audit log have the client's own; forged headers are not believed";
}

// npm run test:container: the image, compose's settings and both database roles, Caddy with TLS in front, and clients whose
// connection outlives answers that came before the body was read.
await runCommand(async () => {
  await ensureBuild();
  const folder = temporaryDataDir("container");
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, "data"), throwaway: true });
  atEnd(postgres.stop);
  const [mail, store] = [await smtpServer(), await s3Server()];
  atEnd(mail.close);
  atEnd(store.close);
  const [appPort, tlsPort] = [await freePort(), await freePort()];
  const composed = environments(postgres, tlsPort, mail.port, store.endpoint);
  await row("docker-compose.yml: two database roles", () => roles(composed));
  const contained =
    process.argv[2] !== "proxy" && (await inContainer(join(folder, "engine"), appPort, composed));
  if (!contained) {
    const env: NodeJS.ProcessEnv = { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...composed.app };
    const server = serveBuilt({ env, port: appPort, host: "127.0.0.1", output: "keep" });
    atEnd(server.stop);
    await untilReady(`http://127.0.0.1:${appPort}`, server).catch(async (error: unknown) => {
      throw server.ended() ? new Error(await server.gone) : error;
    });
  }
  const answeredEarly: [string, number][] = [
    ["/api/auth/login", 1 * MB],
    ["/api/top-up-points", 1 * MB],
    ["/login", 2 * MB],
  ];
  await early(pooledClient({ port: appPort }), "direct", answeredEarly);
  const caddy = await startCaddy(join(folder, "caddy"), tlsPort, appPort);
  if (!caddy) notRun("behind Caddy", "caddy is not installed (apt-get install caddy)");
  else {
    atEnd(caddy.stop);
    const tls = { ca: caddy.ca, servername: SERVER_NAME };
    const from = (address: string) => pooledClient({ port: tlsPort, tls, from: address });
    const client = from("127.0.0.1");
    await row("behind Caddy: TLS", async () => {
      const { status, headers } = await client.ask({ path: "/login" });
      assert.equal(status, 200);
      assert.match(headers["strict-transport-security"] ?? "", /max-age/);
      return "a page over a verified certificate, with Strict-Transport-Security";
    });
    await row("behind Caddy: addresses", () => addresses(from, postgres.ownerUrl()));
    await row("behind Caddy: bodies are limited", async () => {
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
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});
