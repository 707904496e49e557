"use server";

import { action } from "@/lib/api/action";
import { createTill, retireTill, updateTill } from "@/lib/tills/manage-tills";

export const createTillAction = action(createTill);
export const updateTillAction = action(updateTill);
export const retireTillAction = action(retireTill);
