import { audit } from "@/lib/audit/audit";
import { GIVEN_UP_REASON } from "@/lib/cards/erase-card";
import { newCustomerCode } from "@/lib/customers/model/customer-code";
import type { Db } from "@/lib/db/client";
import { type Posting, postBatch } from "@/lib/ledger/batch";

const DAY = 86_400_000;

type ErasedCustomer = {
  id: string;
  key: string;
  merchantId: string;
  branch: string;
  worker: string;
  until: Date;
};

/**
 * Seeds a customer who deleted the card six days before `until` and gave up the remaining points. The id may be the same
 * in every run, since the id of an erased card gives no access. Repeating it changes nothing. Throws an Error if the ledger
 * refuses a movement.
 */
export async function seedErasedCustomer(
  db: Db,
  { id, key, merchantId, branch, worker, until }: ErasedCustomer,
): Promise<void> {
  const daysBefore = (days: number) => new Date(until.getTime() - days * DAY);
  const atCounter = {
    customer: id,
    branch,
    actor: worker,
    scope: "merchant",
    scopeMerchant: merchantId,
  } as const;
  const keyOf = (name: string) => ({ key: `demo-${key}-erased-${name}`, hash: `demo-${key}-erased-${name}` });
  const postings: Posting[] = [
    { ...atCounter, ...keyOf("topup"), type: "TOP_UP", points: 100, at: daysBefore(30) },
    {
      ...atCounter,
      ...keyOf("redeem"),
      type: "REDEEM",
      points: 34,
      at: daysBefore(21),
      proof: "live_code",
      proofRef: key,
    },
    {
      ...keyOf("given-up"),
      actorType: "card_holder",
      type: "ADJUSTMENT",
      customer: id,
      scope: "merchant",
      scopeMerchant: merchantId,
      points: -66,
      reason: GIVEN_UP_REASON,
      at: daysBefore(6),
    },
  ];
  await db.$transaction(async (tx) => {
    const { count } = await tx.customer.createMany({
      data: [
        {
          id,
          code: newCustomerCode(),
          merchantId,
          fullName: "–",
          registeredAt: daysBefore(75),
          consentAt: daysBefore(75),
        },
      ],
      skipDuplicates: true,
    });
    if (count === 0) return;
    const outcomes = await postBatch(tx, postings, { quiet: true });
    for (const { outcome } of outcomes) {
      if (outcome !== "posted") throw new Error(`The demo's erased card was refused a movement: ${outcome}`);
    }
    await tx.customer.update({
      where: { id },
      data: { status: "erased", erasedAt: daysBefore(6) },
      select: { id: true },
    });
    const holder = { type: "cardHolder", customerId: id, merchantId, deviceId: null } as const;
    const what = { merchantId, action: "customer.erased", entity: "customer", entityId: id } as const;
    await audit(tx, { actor: holder }, what);
  });
}
