"use server";

import { action } from "@/lib/api/action";
import { countNotices, markNotices } from "@/lib/notices/notices";

export const countNoticesAction = action(countNotices);
export const markNoticesAction = action(markNotices);
