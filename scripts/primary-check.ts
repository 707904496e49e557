import { openCheck } from "./lib/primary-check";

// npm run primary:check: answers HAProxy whether the Postgres of DATABASE_URL is the primary (docker-compose.ha.yml).
const { DATABASE_URL, PORT = "8008" } = process.env;
if (!DATABASE_URL) throw new Error("DATABASE_URL names the Postgres that is asked.");
await openCheck(() => DATABASE_URL, { port: Number(PORT), host: "0.0.0.0" });
