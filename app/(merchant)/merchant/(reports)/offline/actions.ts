"use server";

import { action } from "@/lib/api/action";
import { resolveEntry } from "@/lib/tills/offline-inbox";

export const resolveEntryAction = action(resolveEntry);
