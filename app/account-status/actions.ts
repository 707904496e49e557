"use server";

import { action } from "@/lib/http/action";
import { reapply } from "@/lib/merchants/reapply";

export const reapplyAction = action(reapply);
