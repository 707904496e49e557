import { createDb, type Db } from "@/lib/db/client";
import { type Call, type CheckedAnswer, exchange, OPERATIONS } from "@/lib/testing/contract/exchange";
import { makeWorld, type World } from "@/lib/testing/contract/world";
import type { Stage } from "./stage";

/** The program under attack, and the shops in it: `world` is the victim's, `rival` the attacker's. */
export type Target = { stage: Stage; db: Db; world: World; rival: World };

/** Makes both shops. Import this after the stage has set this process's settings. */
export async function openTarget(stage: Stage): Promise<Target> {
  const db = createDb(stage.ownerUrl, 10);
  return { stage, db, world: await makeWorld(db), rival: await makeWorld(db) };
}

/** Makes a call of the API, such as "post /top-up-points", and compares the answer with the document. */
export async function ask({ stage }: Target, name: string, call: Call): Promise<CheckedAnswer> {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (!operation) throw new Error(`the document has no ${name}`);
  return exchange(operation, call, stage.url ?? undefined);
}
