import type { Tx } from "@/lib/db/client";
import { storedColours } from "./picture-colour";

/** The colour of an e-mail to a card's holder: the one that the card itself has. Any other e-mail has the product's. */
export async function mailColour(tx: Tx, customerId: string): Promise<string> {
  const { merchant } = await tx.customer.findUniqueOrThrow({
    where: { id: customerId },
    select: { merchant: { select: { id: true, imageKey: true, colour: true } } },
  });
  return (await storedColours(tx, merchant)).via;
}
