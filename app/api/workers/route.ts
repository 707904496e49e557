import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { createWorkerWire, workerReply, workersReply, workersWire } from "@/lib/http/wire/worker";
import { createWorker } from "@/lib/workers/change-workers";
import { listWorkers } from "@/lib/workers/read-workers";

export const GET = route({
  run: listWorkers,
  summary: "The workers that the caller may see, newest first by default, each with their totals of today.",
  tag: "Workers",
  query: workersWire,
  reply: workersReply,
});

export const POST = route({
  run: createWorker,
  summary: "Creates a worker and emails them a link to set their password. A super_admin gives iMerchantId.",
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

export const { DELETE, OPTIONS, PATCH, PUT } = otherMethods("GET", "POST");
