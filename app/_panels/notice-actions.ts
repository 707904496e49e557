"use server";

import { countNotices, markNotices } from "@/lib/activity/notices";
import { action } from "@/lib/api/action";

export const countNoticesAction = action(countNotices);
export const markNoticesAction = action(markNotices);
