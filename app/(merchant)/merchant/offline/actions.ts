"use server";

import { action } from "@/lib/http/action";
import { resolveEntry } from "@/lib/tills/offline-inbox";

export const resolveEntryAction = action(resolveEntry);
