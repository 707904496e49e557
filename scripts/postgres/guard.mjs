// Runs one program (JSON of guarded.ts) until its own input closes, as it does however the parent ends.
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";

const { command, args, cwd, account, signals, patience } = JSON.parse(process.argv[2] ?? "{}");
// The parent decides when the program goes: a terminal's Ctrl-C reaches everyone at once.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

const child = spawn(command, args, {
  // A separate process group, for the same reason.
  detached: true,
  stdio: ["ignore", "inherit", "inherit"],
  cwd,
  ...account,
});
child.on("error", (error) => {
  console.error(String(error));
  process.exit(1);
});
child.on("exit", (code) => process.exit(code ?? 1));
if (child.pid) writeSync(3, `${child.pid}\n`);

let asked = 0;
const end = () => {
  child.kill(signals[Math.min(asked++, signals.length - 1)]);
  setTimeout(end, patience).unref();
};
process.stdin.on("end", end).on("error", end).resume();
