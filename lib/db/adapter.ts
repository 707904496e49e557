import { PrismaPg } from "@prisma/adapter-pg";
import type { IsolationLevel, SqlQuery, SqlQueryable, Transaction } from "@prisma/driver-adapter-utils";
import type { Pool } from "pg";
import { isKeptStatementLost } from "./faults";
import type { StatementNames } from "./statement-names";

type Run = <Answer>(query: SqlQuery, run: (query: SqlQuery) => Promise<Answer>) => Promise<Answer>;

/** Sends the queries of a connection or pool through `way`. */
function sendBy<Queryable extends SqlQueryable>(to: Queryable, way: Run): Queryable {
  const [queryRaw, executeRaw] = [to.queryRaw.bind(to), to.executeRaw.bind(to)];
  return Object.assign(to, {
    queryRaw: (query: SqlQuery) => way(query, queryRaw),
    executeRaw: (query: SqlQuery) => way(query, executeRaw),
  });
}

/**
 * Sends a transaction's statements one after the other. Prisma reads the relations of a record side by side, and a
 * transaction has one connection, which from pg 9 on takes a statement only when it has answered the one before.
 */
function inTurn(): Run {
  let last: Promise<unknown> = Promise.resolve();
  return (query, run) => {
    const answer = last.then(() => run(query));
    last = answer.catch(() => undefined);
    return answer;
  };
}

type Options = NonNullable<ConstructorParameters<typeof PrismaPg>[1]>;

/**
 * Prisma's adapter for Postgres, whose transactions ask their connection for one thing at a time. A statement that Postgres
 * no longer runs under its name loses the name; outside of a transaction it is sent again at once.
 */
export class PostgresAdapter extends PrismaPg {
  constructor(
    pool: Pool,
    options: Options,
    private readonly names?: StatementNames,
  ) {
    super(pool, names ? { ...options, statementNameGenerator: names.nameOf } : options);
  }

  override async connect() {
    const adapter = await super.connect();
    const { names } = this;
    const start = adapter.startTransaction.bind(adapter);
    const renamed: Run = async (query, run) => {
      try {
        return await run(query);
      } catch (error) {
        if (names && isKeptStatementLost(error)) names.drop(query.sql);
        throw error;
      }
    };
    const again: Run = (query, run) =>
      renamed(query, run).catch((error: unknown) => {
        if (!isKeptStatementLost(error)) throw error;
        return run(query);
      });
    const startTransaction = async (level?: IsolationLevel): Promise<Transaction> =>
      sendBy(sendBy(await start(level), renamed), inTurn());
    return Object.assign(sendBy(adapter, again), { startTransaction });
  }
}
