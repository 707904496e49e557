import { migrate } from "./lib/migrate";
import { databaseOf } from "./lib/settings";

// npm run migrate: brings DATABASE_URL (or the embedded database under DATA_DIR) up to date.
const database = await databaseOf(process.env);
try {
  const applied = await migrate(database.url);
  console.log(applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}`);
} finally {
  await database.stop();
}
