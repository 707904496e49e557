export { addJob, addJobIfAny, type JobOptions, type QueueTx } from "./add-job";
export { deliverSoon } from "./deliver-soon";
export type { JobContext, Task, TaskTable } from "./types";
