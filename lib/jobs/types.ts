import type { Db } from "@/lib/db/client";
import type { Transport } from "@/lib/email/transports/types";

/** What a job's work gets. */
export type JobContext = { db: Db; transport: Transport };

/** One kind of work. It may be run again after a crash, so it must be safe to repeat; throwing means "try again later". */
export type Task = (ctx: JobContext, payload: unknown) => Promise<void>;

/** Jobs by name. A job whose name is not in the table waits in the queue until a worker knows it. */
export type TaskTable = Readonly<Record<string, Task>>;
