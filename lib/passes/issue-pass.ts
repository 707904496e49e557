import type { Db, Tx } from "@/lib/db/client";
import { newPassToken } from "./tokens";

/** The pass of a customer, made at its first wish: of two wishes at once one makes it, both get it. */
export async function issuePass(db: Db | Tx, customerId: string): Promise<{ serial: string }> {
  return db.pass.upsert({
    where: { customerId },
    create: { customerId, authToken: newPassToken(), changedAt: new Date() },
    update: {},
    select: { serial: true },
  });
}
