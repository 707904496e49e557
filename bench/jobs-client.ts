import { ensureClient } from "@/scripts/lib/build";

// Started by bench/jobs.ts in the folder of the checkout it measures, whose sources `@/` then names: makes its database
// client.
await ensureClient();
