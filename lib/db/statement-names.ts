import { createHash } from "node:crypto";

/** The number of statements that get a name: each costs memory on every connection until the connection ends. */
const NAMED_AT_MOST = 400;

/**
 * Statements without a name: `select *`, since a named one keeps the columns of its first day and Postgres refuses it
 * after a migration; patterns, since a generic plan takes every pattern for a rare one; and movements in no sum yet,
 * since a generic plan takes a third of all movements for later ones.
 */
const NAMELESS = /^\s*select\s+(\w+\.)?\*|\bi?like\b|\bledger_progress where\b/i;

/**
 * Derived from the text, so that one name never means two statements, even where a pooler gives a connection to several
 * processes.
 */
const nameFor = (sql: string) => `wallet_${createHash("sha256").update(sql).digest("base64url")}`;

export type StatementNames = {
  /** The name under which a connection keeps this statement, or "". */
  nameOf(query: { sql: string }): string;
  /** Sends this statement without a name from now on. */
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
