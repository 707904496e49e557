import { createDb } from "@/lib/db/client";
import { LARGE, seedLarge } from "@/prisma/seed/large";
import { migrate } from "./lib/migrate";
import { databaseOf } from "./lib/settings";

// npm run seed:large: 100,000 customers and 1,000,000 movements, for measuring. Never in production.
if (process.env.APP_ENV === "production") throw new Error("The large seed is not for a production database.");
const database = await databaseOf(process.env);
const started = Date.now();
try {
  await migrate(database.ownerUrl, { application: database.url });
  const db = createDb(database.ownerUrl);
  await seedLarge(db, LARGE, (line) => console.log(line));
  await db.$disconnect();
  console.log(`Done in ${Math.round((Date.now() - started) / 1000)} seconds.`);
} finally {
  await database.stop();
}
