import type { Tx } from "@/lib/db/client";
import { addJobIfAny } from "@/lib/jobs";

/** Where jobs run, the devices that hold the card's wallet pass hear of what happened to it, once this commits. */
export async function tellPass(
  tx: Tx,
  task: "customer_erased" | "customer_renamed",
  customerId: string,
): Promise<void> {
  await addJobIfAny(tx, task, { customerId }, { key: `${task}:${customerId}` });
}
