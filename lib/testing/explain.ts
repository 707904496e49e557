import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows"?: number;
  "Rows Removed by Filter"?: number;
  Plans?: Node[];
};
type Explained = { Plan: Node; "Execution Time": number };

/** One statement that an operation sent: its text, the tables it reads without an index, its time in milliseconds. */
export type Statement = { sql: string; scanned: string[]; ms: number };

// A term that everyone has is found fastest by looking at anyone: a scan that stops so early is none.
const A_GLANCE = 6_000;

function scannedBy(node: Node): string[] {
  const read = (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0);
  const own = node["Node Type"] === "Seq Scan" && read > A_GLANCE ? [node["Relation Name"] ?? "?"] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedBy)];
}

const RUNS = 3;

/** The statement's plan; the best time of a few, since a test's machine has other things to do. */
async function explain(db: Db, sql: Prisma.Sql): Promise<Statement> {
  let best: Statement | undefined;
  for (let run = 0; run < RUNS; run++) {
    const [row] = await db.$queryRaw<{ "QUERY PLAN": Explained[] }[]>(
      Prisma.sql`explain (analyze, format json) ${sql}`,
    );
    const plan = row?.["QUERY PLAN"][0];
    if (!plan) throw new Error("the database explained nothing");
    const ms = plan["Execution Time"];
    if (!best || ms < best.ms) best = { sql: sql.sql, scanned: scannedBy(plan.Plan), ms };
  }
  if (!best) throw new Error("nothing was explained");
  return best;
}

/** A client that explains every raw statement that goes through it before it runs it. */
export function explaining(db: Db): { db: Db; statements: Statement[] } {
  const statements: Statement[] = [];
  const $queryRaw = async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
    const sql = "sql" in query ? query : Prisma.sql(query, ...values);
    statements.push(await explain(db, sql));
    return db.$queryRaw(sql);
  };
  const watched = new Proxy(db, {
    get: (target, name) => (name === "$queryRaw" ? $queryRaw : Reflect.get(target, name)),
  });
  return { db: watched, statements };
}
