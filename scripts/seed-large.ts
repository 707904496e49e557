import { parseArgs } from "node:util";
import { createDb } from "@/lib/db/client";
import { LARGE, type LargeSize, seedLarge } from "@/prisma/seed/large";
import { migrate } from "./lib/migrate";
import { databaseOf, loadSettings } from "./lib/settings";

// npm run seed:large [-- --customers 100000 --movements 1000000 --merchants 20 --days 365]: for measuring.
loadSettings();
if (process.env.APP_ENV === "production") throw new Error("The large seed is not for a production database.");

/** LARGE, changed by the arguments. Throws an Error for a value that is not a whole number above 0. */
function sizeOf(args: string[]): LargeSize {
  const number = { type: "string" } as const;
  const options = { merchants: number, customers: number, movements: number, days: number };
  const { values } = parseArgs({ args, options });
  const read = (name: keyof LargeSize): number => {
    const value = Number(values[name] ?? LARGE[name]);
    if (!Number.isSafeInteger(value) || value < 1)
      throw new Error(`--${name} must be a whole number above 0.`);
    return value;
  };
  const [merchants, customers] = [read("merchants"), read("customers")];
  return { merchants, customers, movements: read("movements"), days: read("days") };
}

/** Gigabytes are written: few checkpoints meanwhile, and enough memory for the indexes. */
const LOAD = { shared_buffers: "1GB", max_wal_size: "8GB", checkpoint_timeout: "30min" };

const size = sizeOf(process.argv.slice(2));
const database = await databaseOf(process.env, LOAD);
const started = Date.now();
try {
  await migrate(database.ownerUrl, { application: database.url });
  const db = createDb(database.ownerUrl);
  await seedLarge(db, size, (line) => console.log(line));
  await db.$disconnect();
  console.log(`Done in ${Math.round((Date.now() - started) / 1000)} seconds.`);
} finally {
  await database.stop();
}
