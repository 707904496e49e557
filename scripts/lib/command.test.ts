import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { projectRoot } from "./command";

const COMMAND = pathToFileURL(`${projectRoot}/scripts/lib/command.ts`).href;

/** Sends a signal to a command as soon as it works. Answers its exit code and what it printed. */
async function signalled(signal: NodeJS.Signals, work: string) {
  const code = `
    const { atEnd, runCommand } = await import(${JSON.stringify(COMMAND)});
    await runCommand(async () => {
      atEnd((code) => console.log("ends with " + code));
      setInterval(() => {}, 1000);
      setTimeout(() => console.log("works"));
      ${work}
    });`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", code], {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk;
    if (said === "works\n") child.kill(signal);
  });
  const [exit] = await once(child, "close");
  return [exit, said];
}

test("a command whose work a signal cut off has failed, and one that serves until then has not", async () => {
  const never = "await new Promise(() => {});";
  expect(await signalled("SIGTERM", never)).toEqual([143, "works\nends with 143\n"]);
  expect(await signalled("SIGINT", never)).toEqual([130, "works\nends with 130\n"]);
  expect(await signalled("SIGTERM", 'return "stay";')).toEqual([0, "works\nends with 0\n"]);
});
