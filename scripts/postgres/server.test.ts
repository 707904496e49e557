import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { projectRoot } from "../lib/project";
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
  await vi.waitFor(() => expect(processOf(pid)).toBeUndefined(), { timeout: 20_000 });
});
