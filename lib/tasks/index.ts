import { removeStale } from "@/lib/files/remove-stale";
import { CORE_TASKS } from "@/lib/jobs/registry";
import type { TaskTable } from "@/lib/jobs/types";
import { pushPass, updateGoogle, updateGoogleMerchant } from "@/lib/passes/tasks";
import { cardsChanged, customerErased, customerRenamed, movementPosted } from "./movement-posted";

/**
 * All background work of the product, by job name: the operations' own is added here. Read by the server's start and
 * the cron route only.
 */
export const TASKS: TaskTable = {
  ...CORE_TASKS,
  movement_posted: movementPosted,
  customer_erased: customerErased,
  customer_renamed: customerRenamed,
  cards_changed: cardsChanged,
  push_pass: pushPass,
  update_google_pass: updateGoogle,
  update_google_class: updateGoogleMerchant,
  async sweep(ctx, payload) {
    await CORE_TASKS.sweep(ctx, payload);
    await removeStale(ctx.db);
  },
};
