/** Runs once when the server starts: settings are checked before the first request, jobs run beside the pages. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { env } = await import("@/lib/env");
  const { noteSocketAddresses } = await import("@/lib/http/peer");
  env();
  noteSocketAddresses();
  const { registerTasks } = await import("@/lib/jobs/registry");
  const { TASKS } = await import("@/lib/tasks");
  registerTasks(TASKS);
  if (env().WORKER === "off") return;
  const { startWorker } = await import("@/lib/jobs/worker");
  startWorker();
}
