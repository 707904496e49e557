"use server";

import { removeWorkerPin } from "@/lib/accounts/pin";
import { action } from "@/lib/api/action";
import { createWorker, inviteWorker, updateWorker } from "@/lib/workers/change-workers";

export const createWorkerAction = action(createWorker);
export const updateWorkerAction = action(updateWorker);
export const inviteWorkerAction = action(inviteWorker);
export const removeWorkerPinAction = action(removeWorkerPin);
