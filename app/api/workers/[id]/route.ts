import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { updateWorkerWire, workerReply } from "@/lib/http/wire/worker";
import { disableWorker, updateWorker } from "@/lib/workers/change-workers";
import { getWorker } from "@/lib/workers/read-workers";

export const GET = route({
  run: getWorker,
  summary: "One worker, with their totals of today.",
  tag: "Workers",
  params: idParams,
  reply: workerReply,
});

export const PUT = route({
  run: updateWorker,
  summary: "Updates a worker. bActive false disables the worker and ends their sessions at once.",
  tag: "Workers",
  params: idParams,
  body: updateWorkerWire,
  reply: workerReply,
  message: "api.workerUpdated",
  example: { sFirstName: "Ravi", bActive: true },
});

export const DELETE = route({
  run: disableWorker,
  summary: "Disables a worker. Their sessions end at once; their movements stay.",
  tag: "Workers",
  params: idParams,
  reply: workerReply,
  message: "api.workerDisabled",
});

export const { OPTIONS, PATCH, POST } = otherMethods("GET", "PUT", "DELETE");
