// Runs one Postgres and ends it when its own standard input closes: the pipe closes however the
// parent ends, kill -9 included, so no server is left behind. Arguments: uid gid binary …args
import { spawn } from "node:child_process";

const [uid, gid, binary, ...args] = process.argv.slice(2);
// A terminal's Ctrl-C reaches the whole group: the parent decides when the database goes, last of all.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

const server = spawn(binary, args, {
  // A group of its own, for the same reason.
  detached: true,
  stdio: ["ignore", "inherit", "inherit"],
  cwd: "/",
  ...(uid === "-" ? {} : { uid: Number(uid), gid: Number(gid) }),
});
server.on("error", (error) => {
  console.error(String(error));
  process.exit(1);
});
server.on("exit", (code) => process.exit(code ?? 1));

let asked = 0;
const end = () => {
  // First "fast" (roll back what is open), then "immediate" (recovery at the next start).
  server.kill(asked++ === 0 ? "SIGINT" : "SIGQUIT");
  setTimeout(end, 20_000).unref();
};
process.stdin.on("end", end).on("error", end).resume();
// Writing to a parent that is gone must not end the guard before its server.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});
