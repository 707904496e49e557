import { migrate } from "./lib/migrate";
import { databaseOf, loadSettings } from "./lib/settings";

// npm run migrate: brings the database up to date as its owner, then grants the application its rights.
loadSettings();
const database = await databaseOf(process.env);
try {
  const applied = await migrate(database.ownerUrl, { application: database.url });
  console.log(applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}`);
} finally {
  await database.stop();
}
