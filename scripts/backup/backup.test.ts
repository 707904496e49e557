import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import pg from "pg";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { createDb } from "@/lib/db/client";
import { topUp } from "@/lib/ledger/move-points";
import { verifyMerchant } from "@/lib/ledger/verify";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { s3Server } from "@/lib/testing/s3-server";
import { migrate } from "../lib/migrate";
import { type Postgres, startPostgres } from "../postgres/server";
import { temporaryDataDir } from "../postgres/temporary";
import { backUp, manifests, prune, shipArchive } from "./backup";
import { type Destination, destinationOf } from "./destination";
import { restore } from "./restore";

const folders: string[] = [];
const newFolder = () => {
  const folder = temporaryDataDir("backup-test");
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const s3 = await s3Server();
afterAll(() => s3.close());

async function ask<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows[0] as T;
  } finally {
    await client.end();
  }
}

/** A shop with a card on a database of its own, and a way to top the card up. */
async function openShop(server: Postgres) {
  await migrate(server.ownerUrl(), { application: server.url() });
  const db = createDb(server.ownerUrl(), 3);
  const shop = await makeMerchant(db);
  const card = await makeCustomer(db, shop);
  const add = (points: number) =>
    topUp(contextOf(db, shop.owner), { customerId: card.id, points, branchId: shop.branch.id });
  return { db, shop, card, add };
}

/** The log up to now stands in the destination. */
async function shipped(server: Postgres, destination: Destination) {
  // A segment without a record is not ended.
  await ask(server.ownerUrl(), "select pg_logical_emit_message(false, 'test', 'a record')");
  const { name } = await ask<{ name: string }>(
    server.ownerUrl(),
    "select pg_walfile_name(pg_switch_wal()) as name",
  );
  await expect
    .poll(
      async () => {
        await shipArchive(server.folder, destination);
        return await destination.list(`wal/${name}.gz`);
      },
      { timeout: 90_000 },
    )
    .toHaveLength(1);
}

// Clusters are made, copied and recovered: on a busy machine that takes a while.
vi.setConfig({ testTimeout: 180_000 });

test.for(["folder", "S3"])("%s: restores to a moment, and the ledger there is in order", async (kind) => {
  const destination =
    kind === "S3"
      ? destinationOf(`s3://${s3.settings.S3_BUCKET}/backups`, s3.settings)
      : destinationOf(newFolder(), {});
  const dataDir = newFolder();
  const server = await startPostgres({ dataDir });
  onTestFinished(() => server.stop());
  const { db, shop, card, add } = await openShop(server);
  onTestFinished(() => db.$disconnect());
  await add(100);
  writeFileSync(join(dataDir, "a-file"), "kept");
  const source = { ownerUrl: server.ownerUrl(), cluster: server.folder, dataDir };
  const name = await backUp(source, destination);
  await add(20);
  const { now } = await ask<{ now: Date }>(server.ownerUrl(), "select clock_timestamp() as now");
  await add(3);
  await shipped(server, destination);

  await expect(restore(destination, { dataDir })).rejects.toThrow(/holds a database/);
  const long = new Date(now.getTime() - 86_400_000);
  await expect(restore(destination, { dataDir: newFolder(), at: long })).rejects.toThrow(
    /no backup from before/,
  );
  const never = new Date(now.getTime() + 86_400_000);
  const late = newFolder();
  await expect(restore(destination, { dataDir: late, at: never })).rejects.toThrow(/ends before/);
  expect(existsSync(join(late, "postgres"))).toBe(false);

  const folders = new Set<string>();
  const open = new Set<string>();
  /** The destination, which looks at each fetch for what others may read or enter of what was unpacked so far. */
  const watched: Destination = {
    ...destination,
    get: async (file, to) => {
      if (basename(file) !== "manifest.json") folders.add(dirname(to));
      const unpacked = [...folders].flatMap((folder) => [
        folder,
        ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []),
      ]);
      for (const path of unpacked) {
        if (existsSync(path) && (statSync(path).mode & 0o077) !== 0) open.add(path);
      }
      await destination.get(file, to);
    },
  };

  for (const [at, balance] of [
    [now, 120],
    [undefined, 123],
  ] as const) {
    const other = newFolder();
    expect(await restore(watched, { dataDir: other, at })).toMatchObject({ backup: name });
    expect(existsSync(join(other, "a-file"))).toBe(true);
    const again = await startPostgres({ dataDir: other });
    const restored = createDb(again.url(), 3);
    try {
      expect(await restored.customer.findUniqueOrThrow({ where: { id: card.id } })).toMatchObject({
        balance,
      });
      expect(await verifyMerchant(restored, shop.merchant.id)).toMatchObject({ firstWrong: null });
    } finally {
      await restored.$disconnect();
      await again.stop();
    }
  }
  expect(folders.size).toBeGreaterThan(2);
  expect([...open]).toEqual([]);
  // Each restore began a time line of its own.
  expect(await destination.list("wal/")).toEqual(
    expect.arrayContaining(["wal/00000002.history.gz", "wal/00000003.history.gz"]),
  );
});

test("pruning keeps the newest backups and the log that they need; another cluster is refused", async () => {
  const destination = destinationOf(newFolder(), {});
  const dataDir = newFolder();
  const server = await startPostgres({ dataDir });
  onTestFinished(() => server.stop());
  const source = { ownerUrl: server.ownerUrl(), cluster: server.folder, dataDir };
  await backUp(source, destination);
  await shipped(server, destination);
  // A backup that was killed while it was copied, the others before and after it.
  const halves = ["base/2020-01-01T00-00-00-000Z", "base/2999-01-01T00-00-00-000Z"];
  const junk = join(newFolder(), "junk");
  writeFileSync(junk, "half");
  for (const half of halves) await destination.put(`${half}/cluster.tar.gz`, junk);
  writeFileSync(join(destination.name, `${halves[0]}/data.tar.gz.part`), "half");
  const second = await backUp(source, destination);
  const before = await destination.list("wal/");
  expect(await prune(destination, 1)).toBe(1);
  expect(await destination.list(`${halves[0]}/`, { parts: true })).toEqual([]);
  // It may still be copied.
  expect(await destination.list(`${halves[1]}/`)).toHaveLength(1);
  const [left] = await manifests(destination);
  expect(left?.name).toBe(second);
  const after = await destination.list("wal/");
  expect(after.length).toBeLessThan(before.length);
  expect(after).toContain(`wal/${left?.manifest.firstWal}.gz`);
  const restored = newFolder();
  await restore(destination, { dataDir: restored });

  // Postgres takes this file away when its recovery ends. A restore that was killed before leaves it.
  const signal = join(restored, "postgres", "recovery.signal");
  writeFileSync(signal, "");
  await expect(startPostgres({ dataDir: restored })).rejects.toThrow(/npm run restore/);
  await restore(destination, { dataDir: restored });
  expect(existsSync(signal)).toBe(false);

  const stranger = newFolder();
  const other = await startPostgres({ dataDir: stranger });
  onTestFinished(() => other.stop());
  const theirs = { ownerUrl: other.ownerUrl(), cluster: other.folder, dataDir: stranger };
  await expect(backUp(theirs, destination)).rejects.toThrow(/another database/);
});
