const ONE_ROLE =
  "DATABASE_URL signs in as the owner of the ledger's tables: the program could rewrite what was posted. " +
  "Migrate with DATABASE_OWNER_URL and run with a role of its own (docs/deploy).";

/** Runs once when the server starts: checks the settings before the first request, and starts the worker of jobs. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { requiredEnv } = await import("@/lib/env");
  const env = requiredEnv();
  // Only commands need the owner's connection string, so a server removes it from its environment.
  if (process.env.DATABASE_OWNER_URL) {
    delete process.env.DATABASE_OWNER_URL;
    console.warn(
      "DATABASE_OWNER_URL was set for a server, and is ignored: only commands that migrate need it.",
    );
  }
  const [{ getDb }, { hasSeparateRole }] = await Promise.all([
    import("@/lib/db/client"),
    import("@/lib/db/roles"),
  ]);
  // /api/ready reports an unavailable database.
  void hasSeparateRole(getDb()).then(
    (apart) => {
      if (!apart) console.warn(ONE_ROLE);
    },
    () => undefined,
  );
  const { recordSocketAddresses } = await import("@/lib/http/peer");
  recordSocketAddresses();
  const { registerTasks } = await import("@/lib/jobs/known-tasks");
  const { TASKS } = await import("@/lib/tasks");
  registerTasks(TASKS);
  if (env.WORKER === "off") return;
  const { startWorker } = await import("@/lib/jobs/worker");
  startWorker();
}
