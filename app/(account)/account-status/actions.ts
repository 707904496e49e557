"use server";

import { action } from "@/lib/api/action";
import { reapply } from "@/lib/merchants/sign-up-merchant";

export const reapplyAction = action(reapply);
