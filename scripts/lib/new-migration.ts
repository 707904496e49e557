import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

type SchemaEngine = bindings.SchemaEngine;

type Exports = WebAssembly.Exports & { __wbindgen_start(): void };

let loaded: Promise<void> | undefined;

// The package's own entry imports the .wasm as a module, which Node and tsx cannot; nothing is downloaded here.
async function load(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const code = readFileSync(entry.replace(/\.js$/, ".wasm"));
  const imports = Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [name, patient(name, value)]),
  );
  const { instance } = await WebAssembly.instantiate(code, { "./schema_engine_bg.js": imports });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports as Exports).__wbindgen_start();
}

/** The engine never clears the timer of its ten-second lock time-out: it must not keep the process from ending. */
function patient(name: string, value: unknown): WebAssembly.ImportValue {
  const given = value as (...args: unknown[]) => unknown;
  if (!name.startsWith("__wbg_setTimeout")) return given;
  return (...args: unknown[]) => {
    const timer = given(...args);
    if (timer && typeof timer === "object" && "unref" in timer && typeof timer.unref === "function")
      timer.unref();
    return timer;
  };
}

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
  loaded ??= load();
  await loaded;
  // A pool of our own, since the engine leaves its connections open.
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const adapter = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool));
  const datamodels: [string, string][] | undefined = datamodel ? [["schema.prisma", datamodel]] : undefined;
  const engine = await bindings.SchemaEngine.new({ datamodels }, () => {}, adapter);
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

const SECOND = 1_000;

const stampOf = (time: Date) => time.toISOString().replace(/\D/g, "").slice(0, 14);

/** The time in the name of a migration. */
export function timeOf(migration: string): Date {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_/.exec(migration) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** The folder of a new migration: stamped with the present time, or one second after the newest where that is later. */
export function nextMigration(existing: string[], now: Date, name: string): string {
  const [newest] = existing
    .filter((migration) => /^\d{14}_/.test(migration))
    .sort()
    .reverse();
  const after = newest ? timeOf(newest).getTime() + SECOND : 0;
  return `${stampOf(new Date(Math.max(now.getTime(), after)))}_${name}`;
}
