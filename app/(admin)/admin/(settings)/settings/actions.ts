"use server";

import { action } from "@/lib/api/action";
import { changePlatform } from "@/lib/merchants/platform-settings";

export const changePlatformAction = action(changePlatform);
