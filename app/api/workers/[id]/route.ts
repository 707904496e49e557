import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { updateWorkerWire, workerReply } from "@/lib/http/wire/worker";
import { disableWorker, updateWorker } from "@/lib/workers/change-workers";
import { getWorker } from "@/lib/workers/read-workers";

export const GET = route({
  run: getWorker,
  summary: "One worker, with what they did today.",
  tag: "Workers",
  params: idParams,
  reply: workerReply,
});

export const PUT = route({
  run: updateWorker,
  summary: "Change a worker; bActive false disables them and ends their sessions at once.",
  tag: "Workers",
  params: idParams,
  body: updateWorkerWire,
  reply: workerReply,
  message: "api.workerUpdated",
  example: { sFirstName: "Ravi", bActive: true },
});

export const DELETE = route({
  run: disableWorker,
  summary: "Disable a worker: their sessions end at once, their movements stay.",
  tag: "Workers",
  params: idParams,
  reply: workerReply,
  message: "api.workerDisabled",
});
