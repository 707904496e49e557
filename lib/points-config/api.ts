import { bind, tagged } from "@/lib/calls/bind";
import { approvePending, cancelPending } from "./apply-pending";
import { editConfig, withdrawOverride } from "./edit-config";
import { configCalls } from "./names";
import { configHistory, viewConfig } from "./read-config";

export const configApi = tagged("Points configuration", [
  bind(configCalls.configHistory, configHistory, {
    summary: "The changes of the points configuration, newest first: who, when, before and after.",
  }),
  bind(configCalls.approvePending, approvePending, {
    summary: "Approves a change of the points configuration that needs a second administrator.",
    message: "api.pendingApproved",
  }),
  bind(configCalls.cancelPending, cancelPending, {
    summary:
      "Cancels a change of the points configuration or of an allowance that waits, and emails the owners concerned.",
    message: "api.pendingCancelled",
  }),
  bind(configCalls.viewConfig, viewConfig, {
    summary:
      "The points configuration in force, and the change of it that waits: the caller's own, or the platform's for an administrator.",
  }),
  bind(configCalls.editConfig, editConfig, {
    summary:
      "Changes the platform's configuration or a merchant's override. While points are outstanding, the value, the maximums and the undo window wait 24 hours (oPending).",
    message: "api.configUpdated",
    example: {
      iDirhamsPerPoint: 100,
      iMinTopup: 1,
      iMaxTopup: 5000,
      iMaxBalance: 20000,
      iUndoMinutes: 15,
      iWorkerDailyCap: null,
    },
  }),
  bind(configCalls.withdrawOverride, withdrawOverride, {
    summary:
      "Removes a merchant's override, so that the platform's configuration applies to it again; it waits as a change does (oPending).",
    message: "api.configUpdated",
  }),
]);
