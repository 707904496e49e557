import pg from "pg";

/** The same server's connection string, for another of its databases. */
export function atDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.toString();
}

async function onServer(url: string, statement: (name: (raw: string) => string) => string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement((raw) => client.escapeIdentifier(raw)));
  } finally {
    await client.end();
  }
}

/** Makes a copy of a database to which nobody is connected. */
export const cloneDatabase = (url: string, template: string, copy: string): Promise<void> =>
  onServer(url, (name) => `create database ${name(copy)} template ${name(template)} strategy file_copy`);

/** Drops a database, its open connections included. */
export const dropDatabase = (url: string, database: string): Promise<void> =>
  onServer(url, (name) => `drop database if exists ${name(database)} with (force)`);
