"use server";

import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";
import { createWorkerSchema, updateWorkerSchema } from "@/lib/domain/worker";
import { action } from "@/lib/http/action";
import { createWorker, inviteWorker, updateWorker } from "@/lib/workers/change-workers";

export const createWorkerAction = action(createWorkerSchema, createWorker);
export const updateWorkerAction = action(updateWorkerSchema, updateWorker);
export const inviteWorkerAction = action(z.object({ id: idSchema }), inviteWorker);
