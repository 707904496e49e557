import { audit } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import { mapUniqueViolation } from "@/lib/db/query";
import { DomainError } from "@/lib/domain/errors";
import type { MerchantNames } from "@/lib/domain/merchant-name";
import type { Task } from "@/lib/jobs/queue";
import { reportEmailChange } from "./change-email";
import { stopEmailChange } from "./email-changes";

const BY = { actor: { type: "system", job: "apply_email_changes" } } as const;

type Due = { id: string; customerId: string };
type Applied = {
  oldEmail: string;
  newEmail: string;
  kind: string;
  deviceId: string | null;
  at: Date;
};
type Card = { fullName: string; locale: string; merchantId: string } & MerchantNames;

/** Applies one change, if it still waits, is due, and fits the card. Fails for a taken address. */
async function apply(tx: Tx, { id, customerId }: Due): Promise<void> {
  // Locks the card first, as a freeze does, so that the second of the two sees the changes of the first.
  const [card] = await tx.$queryRaw<Card[]>`
    select c.full_name as "fullName", c.locale, c.merchant_id::text as "merchantId",
      m.business_name as "businessName", m.business_name_ar as "businessNameAr"
    from customers c join merchants m on m.id = c.merchant_id
    where c.id = ${customerId}::uuid for no key update of c`;
  const [change] = await tx.$queryRaw<Applied[]>`
    delete from email_changes where id = ${id}::uuid and due_at <= now()
    returning old_email as "oldEmail", new_email as "newEmail", kind, device_id::text as "deviceId", now() as at`;
  if (!card || !change) return;
  const { oldEmail, newEmail, kind, deviceId, at } = change;
  const about = { merchantId: card.merchantId, entity: "customer", entityId: customerId } as const;
  const values = { before: { email: oldEmail }, after: { email: newEmail } };
  const { count } = await tx.customer.updateMany({
    where: {
      id: customerId,
      email: oldEmail,
      status: { notIn: kind === "holder" ? ["erased", "frozen"] : ["erased"] },
    },
    data: { email: newEmail },
  });
  if (count === 0) {
    const stopped = { before: values.after, after: values.before };
    await audit(tx, BY, { ...about, action: "customer.email_stopped", ...stopped });
    return;
  }
  // Staff gave the card back: nobody holds it until they prove the address.
  const others = kind === "holder" && deviceId ? { id: { not: deviceId } } : {};
  await tx.cardDevice.deleteMany({ where: { customerId, ...others } });
  await audit(tx, BY, { ...about, action: "customer.email", ...values });
  await reportEmailChange(tx, { ...card, id: customerId, email: oldEmail }, newEmail, at);
}

/** Stops a change whose address got a card with the merchant meanwhile. */
async function dropTaken(db: Db, { id, customerId }: Due): Promise<void> {
  const { merchantId } = await db.customer.findUniqueOrThrow({
    where: { id: customerId },
    select: { merchantId: true },
  });
  await db.$transaction((tx) => stopEmailChange(tx, BY, { customerId, merchantId, id }));
}

/** Runs every minute: applies the changes of cards' e-mails that have waited long enough. */
export const applyEmailChanges: Task = async ({ db }) => {
  const due = await db.$queryRaw<Due[]>`
    select id::text as id, customer_id::text as "customerId" from email_changes
    where due_at <= now() order by due_at limit 1000`;
  for (const change of due) {
    try {
      await mapUniqueViolation("email_taken", "email", () => db.$transaction((tx) => apply(tx, change)));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await dropTaken(db, change);
    }
  }
};
