import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { migrate } from "@/scripts/lib/migrate";
import { serveBuilt, untilReady } from "@/scripts/lib/serve";
import type { Guarded } from "@/scripts/postgres/guarded";
import { atPort, freePort } from "@/scripts/postgres/port";
import { type Postgres, startPostgres } from "@/scripts/postgres/server";

/** A service outside: as it should be, away, seconds late, accepting and silent, or answering nonsense. */
type Mood = "good" | "down" | "slow" | "silent" | "nonsense";
const LATE = 2_000;

/** A port in front of a real service (or of none), which can be in any mood. */
export class Outside {
  mood: Mood = "good";
  /** Connections since it was last in another mood. */
  met = 0;
  /** The open connections, each with the one to the real service, if it has one. */
  private readonly joined = new Map<Socket, Socket | undefined>();
  private readonly server = createServer((socket) => this.meet(socket));

  /** The port of the real service, if there is one. */
  private constructor(public behind: number | undefined) {}

  /** Listens on the loopback; in a good mood it passes everything to `behind`. */
  static async open(behind?: number): Promise<Outside> {
    const outside = new Outside(behind);
    await once(outside.server.listen(0, "127.0.0.1"), "listening");
    return outside;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  private meet(socket: Socket): void {
    this.met++;
    this.joined.set(socket, undefined);
    socket.on("close", () => this.joined.delete(socket));
    socket.on("error", () => {});
    if (this.mood === "down") socket.resetAndDestroy();
    if (this.mood === "nonsense") socket.end(Buffer.from("\u0000\u0007 !? nonsense\r\n\r\n".repeat(20)));
    if (this.mood === "slow") setTimeout(() => this.join(socket), LATE);
    if (this.mood === "good") this.join(socket);
  }

  private join(socket: Socket): void {
    if (this.behind === undefined) {
      socket.resetAndDestroy();
      return;
    }
    const onward = connect(this.behind, "127.0.0.1");
    onward.on("error", () => socket.destroy());
    socket.on("close", () => onward.destroy());
    onward.on("close", () => {
      if (this.joined.get(socket)) socket.destroy();
    });
    this.joined.set(socket, onward);
    socket.pipe(onward).pipe(socket);
  }

  /** From now on nothing passes, as when a network drops packets: open connections stay open and never answer again. */
  cut(): void {
    this.mood = "silent";
    for (const [socket, onward] of this.joined) {
      if (onward) {
        socket.unpipe(onward).resume();
        onward.unpipe(socket).resume();
      }
      this.joined.set(socket, undefined);
    }
  }

  /** Changes the mood; open connections end, as when a service is restarted. */
  become(mood: Mood): void {
    this.mood = mood;
    this.met = 0;
    for (const socket of this.joined.keys()) socket.destroy();
  }

  async close(): Promise<void> {
    this.become("down");
    await once(this.server.close(), "close");
  }
}

type Settings = Record<string, string>;

const FAILURE = /request failed requestId=(\S+) .*\n(?:.*\n){0,8}/g;

/** Servers of a built program on one database. A test may kill any of them and start it again. */
export class Servers {
  private readonly servers: (Guarded | undefined)[] = [];
  readonly secret = randomBytes(32).toString("hex");
  /** The lines that the servers logged about failed requests, by the request's id. */
  private readonly failures = new Map<string, string>();

  protected constructor(
    protected readonly dataDir: string,
    private readonly ports: number[],
    /** The settings beside the usual ones: the database's address, at least. */
    private readonly settings: Settings,
    private readonly folder?: string,
  ) {}

  /** Starts `count` servers on a database that is migrated. `folder` is that of another build. */
  static async open(dataDir: string, count: number, settings: Settings, folder?: string): Promise<Servers> {
    const servers = new Servers(dataDir, await freePorts(count), settings, folder);
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
      ...this.settings,
    };
    const onOutput = (text: string) => {
      for (const [lines, id = ""] of text.matchAll(FAILURE)) this.failures.set(id, lines);
    };
    const { folder } = this;
    const server = serveBuilt({ env, port, host: "127.0.0.1", output: "keep", onOutput, folder });
    this.servers[index] = server;
    await untilReady(url, server);
  }

  /** Starts all of them at once. */
  async startServers(): Promise<void> {
    await Promise.all([...this.ports.keys()].map((index) => this.startServer(index)));
  }

  /** Sends a signal that ends the server (without one: kill -9, without a word), and waits until it is gone. */
  async killServer(index: number, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const server = this.servers[index];
    if (!server || server.ended()) return;
    process.kill(await server.pid, signal);
    await server.gone;
  }

  /** Prints what the servers logged of the failed requests in these answers. */
  explain(answers: string): void {
    for (const [id, lines] of this.failures) if (answers.includes(id)) console.log(lines);
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server?.stop()));
  }
}

const freePorts = (count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => freePort()));

/** Servers with a database of their own, which a test may kill and start again too. */
export class Program extends Servers {
  private constructor(
    dataDir: string,
    ports: number[],
    settings: Settings,
    public database: Postgres,
    private readonly front: Outside,
  ) {
    super(dataDir, ports, { DATABASE_URL: atPort(database.url(), front.port), ...settings });
  }

  /** Migrates a database in `dataDir` and starts `count` servers on it. */
  static async start(dataDir: string, count: number, settings: Settings = {}): Promise<Program> {
    const database = await startPostgres({ dataDir });
    await migrate(database.ownerUrl(), { application: database.url() });
    const front = await Outside.open(Number(new URL(database.url()).port));
    const program = new Program(dataDir, await freePorts(count), settings, database, front);
    await program.startServers();
    return program;
  }

  /** The database as its owner. */
  get ownerUrl(): string {
    return this.database.ownerUrl();
  }

  /** Starts the database again behind the port that the servers know, so that they live on when it was away. */
  async startDatabase(): Promise<void> {
    this.database = await startPostgres({ dataDir: this.dataDir });
    this.front.behind = Number(new URL(this.database.url()).port);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.database.stop();
    await this.front.close();
  }
}
