import { z } from "zod";
import type { Db } from "@/lib/db/client";
import { type OutgoingEmail, RecipientRefused } from "@/lib/email/transports";
import type { Task } from "./queue";

/** Tries before an e-mail is given up: with the back-off about four days. */
const MAX_ATTEMPTS = 25;
const payloadSchema = z.object({ id: z.uuid() });

type Claimed = OutgoingEmail & { attempts: number };

/**
 * Takes a due e-mail out of everyone else's hands for two minutes: two deliverers at once, or one that dies, never
 * lead to two messages or none.
 */
async function claim(db: Db, id: string): Promise<Claimed | undefined> {
  const [mail] = await db.$queryRaw<Claimed[]>`
    update emails set attempts = attempts + 1, next_try_at = now() + interval '2 minutes'
    where id = ${id}::uuid and status = 'queued' and next_try_at <= now()
    returning id::text as id, recipient, subject, text, html, created_at as "createdAt", attempts`;
  return mail;
}

/** The same back-off as the queue's own (e to the power of the tries, in seconds, at most six hours). */
async function keepForLater(db: Db, { id, attempts }: Claimed, error: Error): Promise<boolean> {
  const givenUp = attempts >= MAX_ATTEMPTS || error instanceof RecipientRefused;
  const reason = error.message.slice(0, 500);
  await db.$executeRaw`
    update emails set last_error = ${reason},
      status = (case when ${givenUp} then 'failed' else 'queued' end)::"EmailStatus",
      next_try_at = now() + exp(least(10, ${attempts}::int)) * interval '1 second'
    where id = ${id}::uuid and status = 'queued'`;
  return givenUp;
}

/** Delivers one e-mail of the outbox. Throws when the provider did not take it, so that the queue tries again. */
export const sendEmail: Task = async ({ db, transport }, payload) => {
  const mail = await claim(db, payloadSchema.parse(payload).id);
  if (!mail) return;
  try {
    await transport.send(mail);
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    if (await keepForLater(db, mail, error)) return;
    throw error;
  }
  await db.email.updateMany({
    where: { id: mail.id },
    // Codes and links are secrets: once delivered the outbox forgets what it said.
    data: { status: "sent", sentAt: new Date(), lastError: null, text: "", html: "" },
  });
};
