import { bind, tagged } from "@/lib/calls/bind";
import { workerCalls } from "./names";
import { createWorker, disableWorker, getWorker, listWorkers, updateWorker } from "./workers";

export const workerApi = tagged("Workers", [
  bind(workerCalls.getWorker, getWorker, { summary: "One worker, with their totals of today." }),
  bind(workerCalls.updateWorker, updateWorker, {
    summary: "Updates a worker. bActive false disables the worker and ends their sessions immediately.",
    message: "api.workerUpdated",
    example: { sFirstName: "Ravi", bActive: true },
  }),
  bind(workerCalls.disableWorker, disableWorker, {
    summary: "Disables a worker. Their sessions end immediately; their transactions stay.",
    message: "api.workerDisabled",
  }),
  bind(workerCalls.listWorkers, listWorkers, {
    summary: "The workers that the caller may see, newest first by default, each with their totals of today.",
  }),
  bind(workerCalls.createWorker, createWorker, {
    summary:
      "Creates a worker and emails them a link to set their password. A super_admin gives iMerchantId.",
    message: "api.workerAdded",
    example: {
      sFirstName: "Ravi",
      sLastName: "Kumar",
      sEmail: "ravi@karak.test",
      sPhoneNumber: "+974 5512 3456",
      iBranchId: "01999999-0000-7000-8000-000000000001",
    },
  }),
]);
