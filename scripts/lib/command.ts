import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { constants } from "node:os";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryDataDir } from "../postgres/temporary";

export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");

type Ending = (code: number) => Promise<void> | void;

const endings: Ending[] = [];
/** Whether the command's work is done, and it serves until it is asked to end. */
let isServing = false;
let ending: Promise<never> | undefined;

/** Registers what must be done before the process ends; the last one registered is done first. */
export function atEnd(work: Ending): void {
  endings.push(work);
}

/** Stops, or closes, before this process ends what is started here. */
export async function untilEnd<T extends { stop(): unknown } | { close(): unknown }>(
  starting: T | Promise<T>,
): Promise<T> {
  const started = await starting;
  atEnd(async () => void (await ("stop" in started ? started.stop() : started.close())));
  return started;
}

/** A data folder that is thrown away before the process ends. */
export function folderUntilEnd(...given: Parameters<typeof temporaryDataDir>): string {
  const folder = temporaryDataDir(...given);
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Does all that was registered. */
export async function endStarted(code: number): Promise<void> {
  for (const work of endings.splice(0).reverse()) {
    try {
      await work(code);
    } catch (error) {
      console.error(error);
    }
  }
}

/** Does all that was registered, then ends the process. */
export function endWith(code: number): Promise<never> {
  ending ??= endStarted(code).then(() => process.exit(code));
  return ending;
}

/** Ends the process in good order. A command whose work was cut off has failed, with the code that a shell would answer. */
function endOn(signal: NodeJS.Signals): void {
  void endWith(isServing ? 0 : 128 + constants.signals[signal]);
}

function listen(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, endOn);
  // Under bootstrap.mjs: signals that only it received, and its own end.
  process.on("message", endOn);
  process.on("disconnect", () => endOn("SIGTERM"));
}

/** Runs a command's work; a failure is printed, and everything registered is ended either way. */
export async function runCommand(work: () => Promise<number | "stay">): Promise<void> {
  listen();
  try {
    const result = await work();
    isServing = result === "stay";
    if (result !== "stay") await endWith(result);
  } catch (error) {
    // A signal that came during the work makes the work fail: the ending is already under way.
    if (!ending) console.error(error instanceof Error ? error.message : error);
    await endWith(1);
  }
}

/** Runs Node until this process ends. Its text is shown, or goes to `print`. Answers the exit code. */
export function runNode(
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  print?: (text: string) => void,
): Promise<number> {
  const way = print ? "pipe" : "inherit";
  const child = spawn(process.execPath, args, { cwd: projectRoot, env, stdio: ["ignore", way, way] });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => print?.(text));
  atEnd(() => void child.kill("SIGTERM"));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done(code ?? 1));
  });
}
