"use server";

import { action } from "@/lib/api/action";
import { changePlatform } from "@/lib/merchants/settings";

export const changePlatformAction = action(changePlatform);
