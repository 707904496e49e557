import { execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export type GuardedOptions = {
  command: string;
  args: string[];
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** Whom it runs as, when this program is root and it must not be. */
  account?: { uid: number; gid: number };
  /** How it is asked to end: the next one each time `patience` (milliseconds) is over. Default: SIGTERM, SIGKILL. */
  signals?: NodeJS.Signals[];
  patience: number;
  /** The use of the program's output: shown, or handed to `onOutput` and kept for the error. */
  output: "show" | "keep";
  onOutput?: (text: string) => unknown;
};

export type Guarded = {
  /** Resolves when it has ended, with the last of what it printed (when kept). */
  gone: Promise<string>;
  ended(): boolean;
  /** The program's own process id. */
  pid: Promise<number>;
  stop(): Promise<void>;
};

const guard = fileURLToPath(new URL("./guard.mjs", import.meta.url));
export const guardName = "guard.mjs";

/** Starts a program that ends with this process, however this process ends. */
export function startGuarded(options: GuardedOptions): Guarded {
  const { env, output, onOutput, ...given } = options;
  const guarded = { signals: ["SIGTERM", "SIGKILL"], ...given };
  const shown = output === "show" ? "inherit" : "pipe";
  const child = spawn(process.execPath, [guard, JSON.stringify(guarded)], {
    env,
    stdio: ["pipe", shown, shown, "pipe"],
    // A separate process group, so that a terminal's Ctrl-C does not end the guard first.
    detached: true,
  });
  let printed = "";
  let ended = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed = (printed + chunk).slice(-8_000);
      onOutput?.(printed);
    });
  }
  const gone = new Promise<string>((done) => {
    child.on("error", (error) => done(String(error)));
    child.on("close", () => {
      ended = true;
      done(printed);
    });
  });
  const pid = new Promise<number>((done) => {
    (child.stdio[3] as Readable).once("data", (chunk: Buffer) => done(Number(String(chunk))));
  });
  child.stdin?.on("error", () => {});
  return {
    gone,
    ended: () => ended,
    pid,
    async stop() {
      child.stdin?.end();
      await gone;
    },
  };
}

/** Runs a program to its end. Answers what it printed. Throws with that, and with this name, where it fails. */
export function outputOf(
  name: string,
  command: string,
  args: string[],
  options: SpawnOptions,
): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) =>
      code === 0 ? done(printed) : fail(new Error(`${name} failed:\n${printed}`)),
    );
  });
}

/** A running process's command line and parent, or undefined when there is none of that number. */
export function processOf(pid: number): { command: string; parent: number } | undefined {
  const folder = `/proc/${pid}`;
  try {
    if (existsSync("/proc/self/stat")) {
      const stat = readFileSync(`${folder}/stat`, "utf8");
      // The second field is the name in brackets, which may hold anything.
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z") return undefined;
      return {
        command: readFileSync(`${folder}/cmdline`, "utf8").replaceAll("\0", " "),
        parent: Number(parent),
      };
    }
    const line = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" }).trim();
    const space = line.indexOf(" ");
    return { command: line.slice(space + 1), parent: Number(line.slice(0, space)) };
  } catch {
    return undefined;
  }
}
