import type { z } from "zod";
import type { ActionResult } from "@/lib/domain/result";
import type { createWorkerSchema, updateWorkerSchema, Worker } from "@/lib/domain/worker";

export type WorkerActionSet = {
  create: (input: z.input<typeof createWorkerSchema>) => Promise<ActionResult<Worker>>;
  update: (input: z.input<typeof updateWorkerSchema>) => Promise<ActionResult<Worker>>;
  invite: (input: { id: string }) => Promise<ActionResult<{ sent: true }>>;
};
