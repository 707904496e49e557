import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { projectRoot } from "../lib/command";
import { DATABASE_LOST } from "../lib/settings";
import { processOf } from "./guarded";
import { openPostgres, startPostgres } from "./server";
import { temporaryDataDir } from "./temporary";

const dataDir = temporaryDataDir("postgres-test");
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const serverPid = (folder: string) =>
  Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);

test("keeps its data over a stop, a crash and a pid file that names another program", async () => {
  const first = await startPostgres({ dataDir });
  await query(first.ownerUrl(), "create table kept as select 1 as it");
  await expect(startPostgres({ dataDir })).rejects.toThrow(/in use/);
  const joined = await openPostgres({ dataDir });
  expect(joined.url()).toBe(first.url());
  await joined.stop();
  expect(await query(first.ownerUrl(), "select it from kept")).toEqual([{ it: 1 }]);
  await first.kill();

  writeFileSync(join(first.folder, "postmaster.pid"), `${process.pid}\n${first.folder}\n0\n5432\n`);
  const second = await startPostgres({ dataDir });
  expect(await query(second.ownerUrl(), "select it from kept")).toEqual([{ it: 1 }]);
  expect(await query(second.ownerUrl(), "show listen_addresses")).toEqual([
    { listen_addresses: "127.0.0.1" },
  ]);
  await second.stop();
});

/** A program that keeps a database as the demo does; `folder` is its cluster's. */
async function programWithDatabase(name: string) {
  const code = `
    import { atEnd, runCommand } from ${JSON.stringify(join(projectRoot, "scripts/lib/command.ts"))};
    import { ownDatabaseOf } from ${JSON.stringify(join(projectRoot, "scripts/lib/settings.ts"))};
    await runCommand(async () => {
      const database = await ownDatabaseOf({ DATA_DIR: ${JSON.stringify(join(dataDir, name))} });
      atEnd(database.stop);
      console.log(database.cluster + " " + database.ownerUrl);
      setInterval(() => {}, 1000);
      return "stay";
    });`;
  const file = join(dataDir, `${name}.mts`);
  writeFileSync(file, code);
  const program = spawn(process.execPath, ["--import", "tsx", file], { cwd: projectRoot });
  let said = "";
  program.stderr.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  const ended = new Promise<number | null>((done) => program.once("exit", done));
  const [folder = "", url = ""] = await new Promise<string[]>((done, fail) => {
    program.stdout.once("data", (chunk: Buffer) => done(String(chunk).trim().split(" ")));
    void ended.then(() => fail(new Error(`it ended by itself: ${said}`)));
  });
  return { program, folder, url, said: () => said, ended };
}

test("comes back when it is killed while the program runs, and the program ends when that does not help", async () => {
  const { folder, url, said, ended } = await programWithDatabase("revived");
  await query(url, "create table kept as select 7 as it");
  let before = 0;
  for (let kills = 1; kills <= 5; kills++) {
    await vi.waitFor(() => expect(serverPid(folder)).not.toBe(before), { timeout: 60_000 });
    before = serverPid(folder);
    process.kill(before, "SIGKILL");
    const back = async () => expect(await query(url, "select it from kept")).toEqual([{ it: 7 }]);
    await vi.waitFor(back, { timeout: 60_000, interval: 200 });
    expect(said().match(/was started again/g)).toHaveLength(kills);
  }
  process.kill(serverPid(folder), "SIGKILL");
  expect(await ended).toBe(DATABASE_LOST);
  expect(said()).toMatch(/ended again and again/);
});

test("a program that is asked to end while its database comes back leaves none behind", async () => {
  const { program, folder, ended } = await programWithDatabase("stopped");
  process.kill(serverPid(folder), "SIGKILL");
  program.kill("SIGTERM");
  expect(await ended).toBe(0);
  const running = () => processOf(serverPid(folder))?.command.includes(folder) ?? false;
  expect(existsSync(join(folder, "postmaster.pid")) && running()).toBe(false);
});

test("ends when the program that started it is killed", async () => {
  const code = `
    import { startPostgres } from ${JSON.stringify(join(projectRoot, "scripts/postgres/server.ts"))};
    const postgres = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(postgres.folder);
    setInterval(() => {}, 1000);`;
  const file = join(dataDir, "killed.mts");
  writeFileSync(file, code);
  const program = spawn(process.execPath, ["--import", "tsx", file], { cwd: projectRoot });
  const folder = await new Promise<string>((done, fail) => {
    program.stdout.once("data", (chunk: Buffer) => done(String(chunk).trim()));
    program.once("exit", () => fail(new Error("it ended by itself")));
  });
  const pid = serverPid(folder);
  expect(processOf(pid)?.command).toContain("postgres");
  program.kill("SIGKILL");
  await vi.waitFor(() => expect(processOf(pid)).toBeUndefined(), { timeout: 60_000 });
});
