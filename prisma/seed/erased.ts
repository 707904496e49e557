import { audit } from "@/lib/audit/audit";
import { GIVEN_UP_REASON } from "@/lib/cards/erase-card";
import type { Db } from "@/lib/db/client";
import { type Posting, postBatch } from "@/lib/ledger/batch";

const DAY = 86_400_000;

type Gone = { id: string; key: string; merchantId: string; branch: string; worker: string; until: Date };

/**
 * A customer who deleted the card six days before `until` and gave up what was left on it. The id may be the same at
 * every run, since an erased card's opens nothing. Repeating it changes nothing.
 */
export async function seedErased(
  db: Db,
  { id, key, merchantId, branch, worker, until }: Gone,
): Promise<void> {
  const before = (days: number) => new Date(until.getTime() - days * DAY);
  const served = {
    customer: id,
    branch,
    actor: worker,
    scope: "merchant",
    scopeMerchant: merchantId,
  } as const;
  const row = (name: string) => ({ key: `demo-${key}-erased-${name}`, hash: `demo-${key}-erased-${name}` });
  const postings: Posting[] = [
    { ...served, ...row("topup"), type: "TOP_UP", points: 100, at: before(30) },
    {
      ...served,
      ...row("redeem"),
      type: "REDEEM",
      points: 34,
      at: before(21),
      proof: "live_code",
      proofRef: key,
    },
    {
      ...row("given-up"),
      actorType: "card_holder",
      type: "ADJUSTMENT",
      customer: id,
      scope: "merchant",
      scopeMerchant: merchantId,
      points: -66,
      reason: GIVEN_UP_REASON,
      at: before(6),
    },
  ];
  await db.$transaction(async (tx) => {
    const { count } = await tx.customer.createMany({
      data: [{ id, merchantId, fullName: "–", registeredAt: before(75), consentAt: before(75) }],
      skipDuplicates: true,
    });
    if (count === 0) return;
    const outcomes = await postBatch(tx, postings, { quiet: true });
    for (const { outcome } of outcomes) {
      if (outcome !== "posted") throw new Error(`The demo's erased card was refused a movement: ${outcome}`);
    }
    await tx.customer.update({
      where: { id },
      data: { status: "erased", erasedAt: before(6) },
      select: { id: true },
    });
    const holder = { type: "cardHolder", customerId: id, merchantId, deviceId: null } as const;
    const what = { merchantId, action: "customer.erased", entity: "customer", entityId: id } as const;
    await audit(tx, { actor: holder }, what);
  });
}
