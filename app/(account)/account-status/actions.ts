"use server";

import { action } from "@/lib/api/action";
import { reapply } from "@/lib/merchants/reapply";

export const reapplyAction = action(reapply);
