const ONE_ROLE =
  "DATABASE_URL signs in as the owner of the ledger's tables: the program could rewrite what was posted. " +
  "Migrate with DATABASE_OWNER_URL and run with a role of its own (docs/deploy).";

/** Runs once when the server starts: settings are checked before the first request, jobs run beside the pages. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { requiredEnv } = await import("@/lib/env");
  const env = requiredEnv();
  // The owner's connection string is for commands: no server keeps it, wherever it came from.
  if (process.env.DATABASE_OWNER_URL) {
    delete process.env.DATABASE_OWNER_URL;
    console.warn(
      "DATABASE_OWNER_URL was set for a server, and is ignored: only commands that migrate need it.",
    );
  }
  const [{ getDb }, { isApart }] = await Promise.all([import("@/lib/db/client"), import("@/lib/db/roles")]);
  // A database that is away is /api/ready's news.
  void isApart(getDb()).then(
    (apart) => {
      if (!apart) console.warn(ONE_ROLE);
    },
    () => undefined,
  );
  const { noteSocketAddresses } = await import("@/lib/http/peer");
  noteSocketAddresses();
  const { registerTasks } = await import("@/lib/jobs/task-registry");
  const { TASKS } = await import("@/lib/tasks");
  registerTasks(TASKS);
  if (env.WORKER === "off") return;
  const { startWorker } = await import("@/lib/jobs/worker");
  startWorker();
}
