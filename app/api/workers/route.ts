import { route } from "@/lib/http/route";
import { createWorkerWire, workerReply, workersReply, workersWire } from "@/lib/http/wire/worker";
import { createWorker } from "@/lib/workers/change-workers";
import { listWorkers } from "@/lib/workers/read-workers";

export const GET = route({
  run: listWorkers,
  summary: "The workers within reach, newest first unless sorted, with what each did today.",
  tag: "Workers",
  query: workersWire,
  reply: workersReply,
});

export const POST = route({
  run: createWorker,
  summary: "Make a worker; they are mailed a link to set their password. A super_admin names iMerchantId.",
  tag: "Workers",
  body: createWorkerWire,
  reply: workerReply,
  message: "api.workerAdded",
  example: {
    sFirstName: "Ravi",
    sLastName: "Kumar",
    sEmail: "ravi@karak.test",
    sPhoneNumber: "+974 5512 3456",
    iBranchId: "01999999-0000-7000-8000-000000000001",
  },
});
