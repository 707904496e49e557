import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../lib/migrate";
import { serveBuilt, untilReady } from "../lib/serve";
import type { Guarded } from "../postgres/guarded";
import { freePort } from "../postgres/port";
import { type Postgres, startPostgres } from "../postgres/server";
import { Outside } from "./outside";

type Settings = Record<string, string>;
/** The same database at another port. */
export function atPort(url: string, port: number): string {
  const other = new URL(url);
  other.port = String(port);
  return other.href;
}

const FAILURE = /request failed requestId=(\S+) .*\n(?:.*\n){0,8}/g;

/** Servers of the built program on one database. A test may kill any of them and start it again. */
export class Servers {
  private readonly servers: (Guarded | undefined)[] = [];
  readonly secret = randomBytes(32).toString("hex");
  /** The lines that the servers logged about failed requests, by the request's id. */
  readonly failures = new Map<string, string>();

  protected constructor(
    protected readonly dataDir: string,
    private readonly ports: number[],
    /** The settings beside the usual ones: the database's address, at least. */
    private readonly settings: () => Settings,
  ) {}

  /** Starts `count` servers on a database that is migrated. */
  static async open(dataDir: string, count: number, settings: Settings): Promise<Servers> {
    const servers = new Servers(dataDir, await freePorts(count), () => settings);
    await servers.startServers();
    return servers;
  }

  /** The addresses of all servers, running or not: a client tries the next one, as behind a load balancer. */
  get urls(): string[] {
    return this.ports.map((port) => `http://127.0.0.1:${port}`);
  }

  async startServer(index: number): Promise<void> {
    const [port = 0, url = ""] = [this.ports[index], this.urls[index]];
    const env = {
      ...process.env,
      APP_ENV: "test",
      APP_URL: url,
      AUTH_SECRET: this.secret,
      DATA_DIR: this.dataDir,
      ...this.settings(),
    };
    const onOutput = (text: string) => {
      for (const [lines, id = ""] of text.matchAll(FAILURE)) this.failures.set(id, lines);
    };
    const server = serveBuilt({ env, port, host: "127.0.0.1", output: "keep", onOutput });
    this.servers[index] = server;
    await untilReady(url, server);
  }

  /** Starts all of them at once. */
  async startServers(): Promise<void> {
    await Promise.all([...this.ports.keys()].map((index) => this.startServer(index)));
  }

  /** kill -9, without a word. */
  async killServer(index: number): Promise<void> {
    await this.signalServer(index, "SIGKILL");
  }

  /** Sends a signal that ends the server, and waits until it is gone. */
  async signalServer(index: number, signal: NodeJS.Signals): Promise<void> {
    const server = this.servers[index];
    if (!server || server.ended()) return;
    process.kill(await server.pid, signal);
    await server.gone;
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server?.stop()));
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

/** Servers with a database of their own, which a test may kill and start again too. */
export class Program extends Servers {
  private postgres: Postgres | undefined;
  private front: Outside | undefined;

  private constructor(dataDir: string, ports: number[], settings: Settings) {
    super(dataDir, ports, () => ({ DATABASE_URL: this.databaseUrl, ...settings }));
  }

  /** Migrates a database in `dataDir` and starts `count` servers on it. */
  static async start(dataDir: string, count: number, settings: Settings = {}): Promise<Program> {
    const program = new Program(dataDir, await freePorts(count), settings);
    await program.startDatabase();
    await program.startServers();
    return program;
  }

  /** The database as its owner. */
  get ownerUrl(): string {
    return this.postgres?.ownerUrl() ?? "";
  }

  /** Starts the database behind the port that the servers know, so that they live on when it was away. */
  async startDatabase(): Promise<void> {
    this.postgres = await startPostgres({ dataDir: this.dataDir });
    if (!this.front) await migrate(this.postgres.ownerUrl(), { application: this.postgres.url() });
    this.front ??= await Outside.open();
    this.front.behind = Number(new URL(this.postgres.url()).port);
  }

  private get databaseUrl(): string {
    return atPort(this.postgres?.url() ?? "", this.front?.port ?? 0);
  }

  /** kill -9 of Postgres's own process, whose children then end by themselves. */
  async killDatabase(): Promise<void> {
    const folder = this.postgres?.folder ?? "";
    process.kill(Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL");
    await this.postgres?.stop();
  }

  /** Starts Postgres again if it has ended by itself. */
  async ensureDatabase(): Promise<void> {
    if (this.postgres?.ended()) await this.startDatabase();
  }

  /** Stops Postgres as an administrator would: what is open is rolled back. */
  async stopDatabase(): Promise<void> {
    await this.postgres?.stop();
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.postgres?.stop();
    await this.front?.close();
  }
}
