import { spawnSync } from "node:child_process";
import { cpSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { temporaryDataDir } from "../postgres/temporary";
import { projectRoot } from "./command";

// A project with settings of its own in `.env`, so that this one's commands do not read them.
const project = temporaryDataDir("settings-test");
afterAll(() => rmSync(project, { recursive: true, force: true }));
for (const part of ["scripts", "lib", "prisma", "package.json", "tsconfig.json"]) {
  cpSync(join(projectRoot, part), join(project, part), { recursive: true });
}
symlinkSync(join(projectRoot, "node_modules"), join(project, "node_modules"));

/** Runs a command of this project with the settings of `.env` alone. */
function run(command: string, settings: string) {
  writeFileSync(join(project, ".env"), settings);
  const args = ["--import", "tsx", `scripts/${command}.ts`];
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    env: { PATH: process.env.PATH, NODE_ENV: "production" },
    encoding: "utf8",
  });
  return { status, stderr, hasOwnDatabase: existsSync(join(project, ".data")) };
}

test.for(["migrate", "audits-cut"])(
  "npm run %s works on the database that .env names",
  {
    timeout: 120_000,
  },
  (command) => {
    // Nobody listens there.
    const { status, stderr, hasOwnDatabase } = run(
      command,
      "DATABASE_URL=postgresql://wallet@127.0.0.1:1/wallet\n",
    );
    expect(stderr).toContain("127.0.0.1:1");
    expect(status).toBe(1);
    expect(hasOwnDatabase).toBe(false);
  },
);

test("npm run seed:large refuses where .env says production", { timeout: 120_000 }, () => {
  const { status, stderr, hasOwnDatabase } = run("seed-large", "APP_ENV=production\n");
  expect(stderr).toContain("not for a production database");
  expect(status).toBe(1);
  expect(hasOwnDatabase).toBe(false);
});
