import pg from "pg";
import { makeCustomer } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { FORBIDDEN_STATEMENTS, REFUSALS, WRITING_RIGHTS } from "@/lib/testing/role-attacks";
import { actionAttacks } from "./actions";
import { fillStore, keepSession, readAfterSignOut, takeName } from "./findings-accounts";
import { freezeTwice, readCodes, stealCard, takeCardByAddress, useUpBudgets } from "./findings-cards";
import { collectDevices } from "./findings-devices";
import { changeValueAlone, findingCustomers, serveOwnCard, stretchProofs } from "./findings-money";
import { openCardOfCustomer } from "./findings-private-ids";
import { findOpenPolicy, shutOutAddress, startUnsafe, wearOut } from "./findings-server";
import { matrixAttacks } from "./matrix";
import { raceAttacks } from "./races";
import { requestAttacks } from "./requests";
import { scriptingAttacks } from "./scripting";
import type { Attack, Tally } from "./tally";
import { tamperingAttacks } from "./tampering";
import type { Target } from "./target";
import { uploadAttacks } from "./uploads";

type Finding = [Attack["needs"], string, (target: Target, tally: Tally) => Promise<void>];

/** The first eighteen ways in that were found in the running product, each as an attack. */
const FINDINGS: Finding[] = [
  ["handlers", "one administrator changes what a point is worth", changeValueAlone],
  ["handlers", "the program's database role writes the ledger", useDatabaseRole],
  ["server", "a stolen cookie moves the card to another e-mail", stealCard],
  ["handlers", "staff serve their own card", serveOwnCard],
  ["handlers", "a code proves another amount; points without proof", stretchProofs],
  ["handlers", "a card by the address where its e-mail was proved", takeCardByAddress],
  ["handlers", "one address shuts out everybody behind it", shutOutAddress],
  ["handlers", "a stranger uses up somebody's codes, sign-ins and resets", useUpBudgets],
  ["handlers", "codes in subjects and tables", readCodes],
  ["server", "sessions for ever, next-auth's own routes, own e-mail as password", keepSession],
  ["server", "another's business name; a stranger's text by mail", takeName],
  ["server", "paths without a content security policy", findOpenPolicy],
  ["server", "a freeze link, again", freezeTwice],
  ["handlers", "a worker lists the customers, without a trace", findingCustomers],
  ["server", "uploads without quota; a document with a script", fillStore],
  ["server", "the last page's data after signing out", readAfterSignOut],
  ["server", "production with unsafe settings", startUnsafe],
  ["server", "a log without end, a failing poster, asking who has a card", wearOut],
];

/** Those of 2026-11-23, by their numbers. Other rows of that list are tests beside what they guard. */
const LATER: [number, ...Finding][] = [
  [19, "handlers", "known devices that anybody collects; marks of an old password", collectDevices],
  [20, "handlers", "an employee opens the card by the private id", openCardOfCustomer],
];

const numbered = [...FINDINGS.map((finding, at) => [at + 1, ...finding] as const), ...LATER];

const findingAttacks = (target: Target): Attack[] =>
  numbered.map(([number, needs, name, attack]) => ({
    name: `finding ${number}: ${name}`,
    needs,
    run: (tally) => attack(target, tally),
  }));

const FAMILIES = [
  findingAttacks,
  matrixAttacks,
  actionAttacks,
  tamperingAttacks,
  raceAttacks,
  scriptingAttacks,
  uploadAttacks,
  requestAttacks,
];

/** Every attack, in the order of the table. */
export const attacksOf = (target: Target): Attack[] => FAMILIES.flatMap((family) => family(target));

/** 2: the application's database role does what only the owner may. */
async function useDatabaseRole({ stage, db, world }: Target, tally: Tally): Promise<void> {
  await move(db, world.shop, await makeCustomer(db, world.shop), { points: 10 });
  await db.$queryRaw`select seal_movements()::text`.catch(() => undefined);
  const client = new pg.Client({ connectionString: stage.env.DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls as any from pg_roles where rolname = current_user",
    );
    tally.try(rows[0]?.any === false, "the role is a superuser, or makes roles");
    const rights = await client.query<{ name: string; kind: string }>(WRITING_RIGHTS);
    tally.try(
      rights.rows.length === 0,
      `the role was granted ${rights.rows.map(({ name, kind }) => `${kind} on ${name}`)}`,
    );
    for (const statement of FORBIDDEN_STATEMENTS) {
      await client.query("begin; set local wallet.posting = 'post'");
      const refused = await client.query(statement).then(
        () => "it was done",
        (error: pg.DatabaseError) => error.code ?? "",
      );
      await client.query("rollback");
      tally.try(REFUSALS.includes(refused), `${statement}: ${refused}`);
    }
  } finally {
    await client.end();
  }
}
