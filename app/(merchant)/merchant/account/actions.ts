"use server";

import { updateBusinessSchema } from "@/lib/domain/merchant";
import { action } from "@/lib/http/action";
import { updateBusiness } from "@/lib/merchants/business";

export const updateBusinessAction = action(updateBusinessSchema, updateBusiness);
