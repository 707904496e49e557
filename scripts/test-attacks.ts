import { openStage, Tally } from "@/lib/testing/trials/attacks/stage";
import { isNamed, Table } from "@/lib/testing/trials/trials";
import { runCommand } from "./lib/command";

/** HANDLERS=1 attacks this process's route handlers, not a built server: to try a row without its protection. */
const handlersOnly = process.env.HANDLERS === "1";

type Attack = (tally: Tally) => Promise<void>;

async function run(name: string, attack: Attack, table: Table): Promise<void> {
  const tally = new Tally();
  const began = Date.now();
  await attack(tally).catch((error: unknown) => {
    tally.broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  });
  const seconds = `${((Date.now() - began) / 1_000).toFixed(1)} s`;
  table.row(name, tally.broken.length === 0 && tally.tries > 0, [tally.tries, seconds]);
  for (const what of tally.broken.slice(0, 12)) console.log(`         ${what}`);
  if (tally.broken.length > 12) console.log(`         and ${tally.broken.length - 12} more`);
}

// npm run test:attacks [-- name part …]: attacks the built program, and prints what was tried and whether it held. LONG=1
// tries more of the same.
await runCommand(async () => {
  const stage = await openStage(!handlersOnly);
  // Not before the stage has set this process's settings, which these modules read.
  const { openTarget } = await import("@/lib/testing/trials/attacks/people");
  const { attackCalls } = await import("@/lib/testing/trials/attacks/matrix");
  const { attackActions } = await import("@/lib/testing/trials/attacks/actions");
  const target = await openTarget(stage);
  const attacks: [name: string, attack: Attack, needsServer?: true][] = [
    ["calls × roles × ids: staff", (tally) => attackCalls("staff", target, tally)],
    ["calls × roles × ids: without a session", (tally) => attackCalls("open", target, tally)],
    ["server actions × roles × foreign arguments", (tally) => attackActions(target, tally), true],
  ];
  const table = new Table(56, ["tries", "time"]);
  for (const [name, attack, needsServer] of attacks.filter(([name]) => isNamed(name))) {
    if (needsServer && handlersOnly) table.notRun(name, "needs the server");
    else await run(name, attack, table);
  }
  return table.end();
});
