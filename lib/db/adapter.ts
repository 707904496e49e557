import { PrismaPg } from "@prisma/adapter-pg";
import type { IsolationLevel, Transaction } from "@prisma/driver-adapter-utils";

/**
 * Sends a transaction's statements one after the other. Prisma reads the relations of a record side by side, and a
 * transaction has one connection, which from pg 9 on takes a statement only when it has answered the one before.
 */
function inTurn(transaction: Transaction): Transaction {
  let last: Promise<unknown> = Promise.resolve();
  const inItsTurn =
    <Query, Answer>(run: (query: Query) => Promise<Answer>) =>
    (query: Query): Promise<Answer> => {
      const answer = last.then(() => run(query));
      last = answer.catch(() => undefined);
      return answer;
    };
  return Object.assign(transaction, {
    queryRaw: inItsTurn(transaction.queryRaw.bind(transaction)),
    executeRaw: inItsTurn(transaction.executeRaw.bind(transaction)),
  });
}

/** Prisma's adapter for Postgres, whose transactions ask their connection for one thing at a time. */
export class PostgresAdapter extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    const start = adapter.startTransaction.bind(adapter);
    const startTransaction = async (level?: IsolationLevel) => inTurn(await start(level));
    return Object.assign(adapter, { startTransaction });
  }
}
