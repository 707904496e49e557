import type { Db, Tx } from "@/lib/db/client";
import { DomainError } from "@/lib/domain/errors";
import { hashSecret, newSecret } from "./secrets";

/** Makes this device one of the card holder's. Answers the secret for its cookie: only the hash is kept. */
export async function addCardHolder(tx: Tx, customerId: string, now: Date): Promise<string> {
  const token = newSecret();
  const data = { customerId, tokenHash: hashSecret(token), createdAt: now };
  await tx.cardHolder.create({ data, select: { id: true } });
  return token;
}

/** Whether the secret is of a device of this card's holder. */
export async function isCardHolder(db: Db, customerId: string, token: string | undefined): Promise<boolean> {
  if (!token) return false;
  const found = await db.cardHolder.findFirst({
    where: { customerId, tokenHash: hashSecret(token) },
    select: { id: true },
  });
  return found !== null;
}

/** Throws card_holder_required unless the secret is of a device of this card's holder. */
export async function assertCardHolder(db: Db, customerId: string, token: string | undefined): Promise<void> {
  if (!(await isCardHolder(db, customerId, token))) throw new DomainError("card_holder_required");
}
