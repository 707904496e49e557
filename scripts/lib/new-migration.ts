import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { SchemaEngine } from "@prisma/schema-engine-wasm";
import pg from "pg";

/** Sends a migration's SQL whole: the adapter's own way cuts it at every semicolon, those inside functions too. */
class WholeScripts extends PrismaPg {
  constructor(private readonly pool: pg.Pool) {
    super(pool);
  }
  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => void (await this.pool.query(script));
    return adapter;
  }
}

/** Runs Prisma's schema engine (the WebAssembly build) against a database, and lets it go afterwards. */
export async function withSchemaEngine<T>(
  url: string,
  datamodel: string | undefined,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  // A pool of our own, since the engine leaves its connections open.
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const adapter = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool));
  const datamodels: [string, string][] | undefined = datamodel ? [["schema.prisma", datamodel]] : undefined;
  const engine = await SchemaEngine.new({ datamodels }, () => {}, adapter);
  try {
    return await work(engine);
  } catch (error) {
    throw new Error(readable(error), { cause: error });
  } finally {
    engine.free();
    await pool.end();
  }
}

/** Answers the engine's reason for a failure: its errors are JSON in a message. */
function readable(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  try {
    const parsed: { user_facing_error?: { message?: string }; message?: string } = JSON.parse(text);
    return parsed.user_facing_error?.message ?? parsed.message ?? text;
  } catch {
    return text;
  }
}

/** The SQL that leads from one Prisma schema to another. Needs any reachable database. */
export async function migrationSql(url: string, from: string, to: string): Promise<string> {
  const model = (content: string) => ({
    tag: "schemaDatamodel" as const,
    files: [{ path: "schema.prisma", content }],
  });
  const result = await withSchemaEngine(url, to, (engine) =>
    engine.diff({
      from: model(from),
      to: model(to),
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  return result.stdout ?? "";
}

/** The time in the name of a migration. */
export const timeOf = (migration: string): Date =>
  new Date(migration.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_.*/, "$1-$2-$3T$4:$5:$6Z"));

/** The folder of a new migration: stamped with the present time, or one second after the newest where that is later. */
export function nextMigration(existing: string[], now: Date, name: string): string {
  const stamped = existing.filter((migration) => /^\d{14}_/.test(migration));
  const time = Math.max(now.getTime(), ...stamped.map((migration) => timeOf(migration).getTime() + 1_000));
  return `${new Date(time).toISOString().replace(/\D/g, "").slice(0, 14)}_${name}`;
}
