"use server";

import { action } from "@/lib/http/action";
import { changePlatform } from "@/lib/merchants/platform-settings";

export const changePlatformAction = action(changePlatform);
