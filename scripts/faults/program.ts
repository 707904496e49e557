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
const FAILURE = /request failed requestId=(\S+) .*\n(?:.*\n){0,8}/g;

/** The built program on a separate database. A test may kill any part and start it again. */
export class Program {
  private readonly servers: (Guarded | undefined)[] = [];
  readonly secret = randomBytes(32).toString("hex");
  /** The lines that the servers logged about failed requests, by the request's id. */
  readonly failures = new Map<string, string>();
  private postgres: Postgres | undefined;
  private front: Outside | undefined;

  private constructor(
    private readonly dataDir: string,
    private readonly ports: number[],
    private readonly settings: Settings,
  ) {}

  /** Migrates a database in `dataDir` and starts `count` servers on it. */
  static async start(dataDir: string, count: number, settings: Settings = {}): Promise<Program> {
    const ports: number[] = [];
    while (ports.length < count) ports.push(await freePort());
    const program = new Program(dataDir, ports, settings);
    await program.startDatabase();
    await program.startServers();
    return program;
  }

  /** The addresses of all servers, running or not: a client tries the next one, as behind a load balancer. */
  get urls(): string[] {
    return this.ports.map((port) => `http://127.0.0.1:${port}`);
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
    const url = new URL(this.postgres?.url() ?? "");
    url.port = String(this.front?.port);
    return url.href;
  }

  async startServer(index: number): Promise<void> {
    const [port = 0, url = ""] = [this.ports[index], this.urls[index]];
    const env = {
      ...process.env,
      APP_ENV: "test",
      APP_URL: url,
      AUTH_SECRET: this.secret,
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: this.dataDir,
      ...this.settings,
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

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server?.stop()));
    await this.postgres?.stop();
    await this.front?.close();
  }
}
