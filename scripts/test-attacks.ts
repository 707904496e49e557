import { type Attack, openStage, type Stage, Tally } from "./attacks/stage";
import { runCommand } from "./lib/ending";

/** HANDLERS=1 attacks this process's route handlers, not a built server: to try a row without its protection. */
const handlersOnly = process.env.HANDLERS === "1";

async function run(attack: Attack): Promise<boolean> {
  const tally = new Tally();
  const began = Date.now();
  try {
    await attack.run(tally);
  } catch (error) {
    tally.broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const held = tally.broken.length === 0 && tally.tries > 0;
  const seconds = `${((Date.now() - began) / 1_000).toFixed(1)} s`;
  console.log(
    `${held ? "held  " : "FAILED"} ${attack.name.padEnd(74)}${String(tally.tries).padStart(7)} ${seconds.padStart(8)}`,
  );
  for (const what of tally.broken.slice(0, 12)) console.log(`         ${what}`);
  if (tally.broken.length > 12) console.log(`         and ${tally.broken.length - 12} more`);
  return held;
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
  const wanted = process.argv.slice(2);
  const attacks = await attacksOn(await openStage(!handlersOnly));
  console.log(`       ${"attack".padEnd(74)}${"tries".padStart(7)}     time`);
  const isWanted = (name: string) => wanted.length === 0 || wanted.some((part) => name.includes(part));
  let [passed, failed] = [0, 0];
  for (const attack of attacks.filter((one) => isWanted(one.name))) {
    if (attack.needs === "server" && handlersOnly) {
      console.log(`not run ${attack.name} (needs the server)`);
      continue;
    }
    if (await run(attack)) passed += 1;
    else failed += 1;
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
});
