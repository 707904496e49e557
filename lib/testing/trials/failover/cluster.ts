import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@/lib/testing/until";
import { copyCluster } from "@/scripts/backup/backup";
import { homeOf, serverAccount } from "@/scripts/postgres/home";
import { freePort } from "@/scripts/postgres/port";
import { connected, type Postgres, startPostgres } from "@/scripts/postgres/server";

/** Settings of both servers. A new standby reads the log that was written while it was copied. */
const SETTINGS = { wal_keep_size: "512MB", wal_receiver_timeout: "5s", wal_sender_timeout: "5s" };
const PASSWORDS = ["postgres-password", "application-password"];

/** One of two places for a Postgres. What runs there, primary or standby, changes; the port does not. */
export type Place = { dataDir: string; port: number; server: Postgres | undefined };

/** A primary and its synchronous standby, from the embedded binaries. */
export class Cluster {
  private constructor(
    readonly places: [Place, Place],
    public primaryPlace = places[0],
    private standbyPlace = places[1],
  ) {}

  /** Starts both below this folder; `prepare` fills the primary before the standby is copied. */
  static async start(folder: string, prepare: (primary: Postgres) => Promise<unknown>): Promise<Cluster> {
    const place = async (name: string): Promise<Place> => {
      const dataDir = join(folder, name);
      mkdirSync(dataDir, { recursive: true });
      chmodSync(dataDir, 0o711);
      return { dataDir, port: await freePort(), server: undefined };
    };
    const cluster = new Cluster([await place("one"), await place("two")]);
    const { dataDir, port } = cluster.primaryPlace;
    const primary = await startPostgres({ dataDir, port, settings: SETTINGS });
    cluster.primaryPlace.server = primary;
    await prepare(primary);
    await cluster.addStandby();
    return cluster;
  }

  get primary(): Postgres {
    const { server } = this.primaryPlace;
    if (!server) throw new Error("there is no primary");
    return server;
  }

  get standby(): Postgres {
    const { server } = this.standbyPlace;
    if (!server) throw new Error("there is no standby");
    return server;
  }

  /** Replaces what ran in the other place by a copy of the primary as its standby, for which commits wait. */
  async addStandby(): Promise<void> {
    const { dataDir, port, server: former } = this.standbyPlace;
    await former?.stop();
    const account = serverAccount();
    const folder = homeOf(dataDir, account);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const tar = join(dataDir, "copy.tar");
    const label = await connected(this.primary.ownerUrl(), (client) =>
      copyCluster(client, this.primary.folder, tar),
    );
    execFileSync("tar", ["-xf", tar, "-C", folder]);
    rmSync(tar);
    writeFileSync(join(folder, "backup_label"), label);
    writeFileSync(join(folder, "standby.signal"), "");
    chmodSync(folder, 0o700);
    if (account) execFileSync("chown", ["-R", `${account.uid}:${account.gid}`, folder]);
    for (const file of PASSWORDS) {
      const password = join(this.primaryPlace.dataDir, file);
      if (existsSync(password)) copyFileSync(password, join(dataDir, file));
    }
    const from = new URL(this.primary.ownerUrl());
    const source = `host=127.0.0.1 port=${from.port} user=${from.username} password=${from.password} application_name=standby`;
    const settings = { ...SETTINGS, hot_standby_feedback: "on", primary_conninfo: source };
    this.standbyPlace.server = await startPostgres({ dataDir, port, settings, standby: true });
    await this.waitForStandby("standby");
    await until("the standby is synchronous", () =>
      connected(this.primary.ownerUrl(), async (client) => {
        const { rows } = await client.query("select 1 from pg_stat_replication where sync_state = 'sync'");
        return rows.length === 1;
      }),
    );
  }

  /** Names the standby that commits wait for; "" for none. */
  async waitForStandby(name: "" | "standby"): Promise<void> {
    await connected(this.primary.ownerUrl(), async (client) => {
      await client.query(`alter system set synchronous_standby_names = '${name}'`);
      await client.query("select pg_reload_conf()");
    });
  }

  /** Makes the standby the primary, alone. */
  async promote(): Promise<void> {
    const { standby } = this;
    await connected(standby.ownerUrl(), async (client) => {
      // With the standby's copy of this setting every commit would wait for a standby that is not there.
      await client.query("select pg_promote(true, 60)");
      await client.query("alter system set synchronous_standby_names = ''");
      await client.query("select pg_reload_conf()");
    });
    [this.primaryPlace, this.standbyPlace] = [this.standbyPlace, this.primaryPlace];
    this.standbyPlace.server = undefined;
  }

  /** Starts the former primary in its place as a standby without a source: it can be read only. */
  async startFormer(): Promise<Postgres> {
    const { dataDir, port } = this.standbyPlace;
    writeFileSync(join(homeOf(dataDir, serverAccount()), "standby.signal"), "");
    const server = await startPostgres({ dataDir, port, settings: SETTINGS, standby: true });
    this.standbyPlace.server = server;
    return server;
  }

  async stop(): Promise<void> {
    await Promise.all(this.places.map(({ server }) => server?.stop()));
  }
}
