import { type Attack, openStage, type Stage, Tally } from "./attacks/stage";
import { runCommand } from "./lib/command";
import { isNamed, Table } from "./lib/trials";

/** HANDLERS=1 attacks this process's route handlers, not a built server: to try a row without its protection. */
const handlersOnly = process.env.HANDLERS === "1";

async function run(attack: Attack, table: Table): Promise<void> {
  const tally = new Tally();
  const began = Date.now();
  try {
    await attack.run(tally);
  } catch (error) {
    tally.broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const seconds = `${((Date.now() - began) / 1_000).toFixed(1)} s`;
  table.row(attack.name, tally.broken.length === 0 && tally.tries > 0, [tally.tries, seconds]);
  for (const what of tally.broken.slice(0, 12)) console.log(`         ${what}`);
  if (tally.broken.length > 12) console.log(`         and ${tally.broken.length - 12} more`);
}

async function attacksOn(stage: Stage): Promise<Attack[]> {
  // Not before the stage has set this process's settings, which these modules read.
  const { openTarget } = await import("./attacks/people");
  const { matrixAttacks } = await import("./attacks/matrix");
  const { actionAttacks } = await import("./attacks/actions");
  const target = await openTarget(stage);
  return [...matrixAttacks(target), ...actionAttacks(target)];
}

// npm run test:attacks [-- name part …]: attacks the built program, and prints what was tried and whether it held. LONG=1
// tries more of the same.
await runCommand(async () => {
  const attacks = await attacksOn(await openStage(!handlersOnly));
  const table = new Table(56, ["tries", "time"]);
  for (const attack of attacks.filter(({ name }) => isNamed(name))) {
    if (attack.needs === "server" && handlersOnly) table.notRun(attack.name, "needs the server");
    else await run(attack, table);
  }
  return table.end();
});
