import type { Tx } from "@/lib/db/client";
import { addJob } from "@/lib/jobs";

/** Where jobs run, the devices that hold the card's wallet pass hear of what happened to it, once this commits. */
export async function tellPass(
  tx: Tx,
  task: "customer_erased" | "customer_renamed",
  customerId: string,
): Promise<void> {
  const [queue] = await tx.$queryRaw<{ there: boolean }[]>`
    select to_regnamespace('graphile_worker') is not null as there`;
  if (queue?.there) await addJob(tx, task, { customerId }, { key: `${task}:${customerId}` });
}
