"use server";

import { action } from "@/lib/http/action";
import { updateBusiness } from "@/lib/merchants/business";

export const updateBusinessAction = action(updateBusiness);
