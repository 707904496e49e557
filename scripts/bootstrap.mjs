// node scripts/bootstrap.mjs COMMAND […args]: installs what is missing, runs COMMAND.ts on our own Node.
// Nothing is installed yet: only Node's own modules, and any Node from 20.19 on.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { alive, withLock } from "./lib/lock.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const [command = "", ...args] = process.argv.slice(2);

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or later is needed; this is ${process.versions.node}.`);
  process.exit(1);
}

// A demo waits for no tool of the tests.
const needsTools = command !== "demo";

/** Whether node_modules holds what package-lock.json says (what belongs to other systems aside). */
function installed() {
  const own = join(root, "node_modules/.package-lock.json");
  if (!existsSync(own)) return false;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const present = JSON.parse(readFileSync(own, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === "" ||
      (!present[path] && (entry.optional || (entry.dev && !needsTools))) ||
      present[path]?.version === entry.version,
  );
}

function install() {
  if (installed()) return;
  console.log("Installing the project's packages (once) …");
  const { npm_execpath: npm } = process.env;
  const flags = ["ci", needsTools ? "--include=dev" : "--omit=dev", "--no-audit", "--no-fund"];
  // The npm that runs this script, when it is one; elsewhere the one on the path.
  const [program, first] = npm?.endsWith("npm-cli.js") ? [process.execPath, [npm]] : ["npm", []];
  const { status } = spawnSync(program, [...first, ...flags], {
    cwd: root,
    stdio: "inherit",
    shell: program === "npm",
  });
  if (status !== 0) process.exit(status ?? 1);
}

if (!installed()) {
  const waiting = () => console.log("Another command is installing the packages; waiting for it …");
  await withLock(join(root, ".install.lock"), waiting, install);
}

// Linked by one of the packages node-…, where one is for this system.
const own = join(root, "node_modules/.bin/node");
if (!existsSync(own) && major < 22) {
  console.error(
    `npm has no package of Node for this system: install Node 22 or later; this is ${process.versions.node}.`,
  );
  process.exit(1);
}
const child = spawn(
  existsSync(own) ? own : process.execPath,
  ["--import", "tsx", join(root, "scripts", `${command}.ts`), ...args],
  { cwd: root, stdio: ["inherit", "inherit", "inherit", "ipc"] },
);
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
child.on("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
// The command ends itself in good order; a closed channel tells it that this process is gone.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (child.connected) child.send(signal);
  });
}
// npm may be killed without a word to its children, and the shell between it and this process lives on.
if (process.env.npm_lifecycle_event) {
  const npm = runner();
  setInterval(() => {
    if (!alive(npm) && child.connected) child.send("SIGTERM");
  }, 1_000).unref();
}

/** The npm that runs this: the parent, or the parent's parent when that is a shell. */
function runner() {
  try {
    // The second field is the program's name in brackets, the fourth its parent.
    const [, name, parent] =
      /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${process.ppid}/stat`, "utf8")) ?? [];
    return /^(ba|da|a)?sh$/.test(name ?? "") ? Number(parent) : process.ppid;
  } catch {
    return process.ppid;
  }
}
