import { createHash } from "node:crypto";

/** So many statements get a name: each costs memory on every connection, until that ends. */
const NAMED_AT_MOST = 400;

/**
 * Statements without a name. Of all columns: those of its first day, so that Postgres refuses it after a migration. With a
 * pattern: a plan for every pattern takes each for a rare one. With movements that no sum has: a plan for every transaction
 * takes a third of all for later ones.
 */
const NAMELESS = /^\s*select\s+(\w+\.)?\*|\bi?like\b|\bledger_progress where\b/i;

/** Of the text, so that one name never stands for two, even where a pooler gives a connection to several processes. */
const nameFor = (sql: string) => `wallet_${createHash("sha256").update(sql).digest("base64url")}`;

export type StatementNames = {
  /** The name under which a connection keeps this statement, or "". */
  nameOf(query: { sql: string }): string;
  /** This statement has no name from now on. */
  drop(sql: string): void;
};

/**
 * Names for the statements of one client, so that each connection has them parsed once, and planned once where
 * Postgres finds that no values deserve a plan of their own. One that may be the only one of its text gets none.
 */
export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return {
    nameOf({ sql }) {
      const name = names.get(sql);
      if (name !== undefined) return name;
      if (names.size >= NAMED_AT_MOST || NAMELESS.test(sql)) return "";
      if (!seen.delete(sql)) {
        if (seen.size >= NAMED_AT_MOST) seen.clear();
        seen.add(sql);
        return "";
      }
      const given = nameFor(sql);
      names.set(sql, given);
      return given;
    },
    drop(sql) {
      names.set(sql, "");
    },
  };
}
