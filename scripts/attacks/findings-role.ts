import pg from "pg";
import { makeCustomer } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { FORBIDDEN_STATEMENTS, REFUSALS, WRITING_RIGHTS } from "@/lib/testing/role-attacks";
import type { Tally } from "./tally";
import type { Target } from "./target";

/** 2: the application's database role does what only the owner may. */
export async function useDatabaseRole({ stage, db, world }: Target, tally: Tally): Promise<void> {
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
