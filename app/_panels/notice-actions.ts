"use server";

import { countNotices, markNotices } from "@/lib/activity/notices";
import { action } from "@/lib/http/action";

export const countNoticesAction = action(countNotices);
export const markNoticesAction = action(markNotices);
