import { z } from "zod";
import type { PublicContext } from "@/lib/db/context";
import { LOCALES } from "@/lib/domain/roles";
import { addJob } from "./add-job";

/** The payload that a request for a mailed link leaves to the job that mails it. */
const askedMailSchema = z.object({
  /** The e-mail's id, so that a job that runs twice writes one. */
  mailId: z.guid(),
  email: z.string(),
  locale: z.enum(LOCALES),
  askedAt: z.coerce.date(),
  address: z.string(),
  userAgent: z.string().nullable(),
});
type AskedMail = z.output<typeof askedMailSchema>;

/**
 * Leaves the look-up of the address, and the e-mail, to the job `task`. The work before the answer is then the same for
 * every address, so that its duration reveals nothing.
 */
export async function leaveMailToJob(ctx: PublicContext, task: string, email: string): Promise<void> {
  const [mail] = await ctx.db.$queryRaw<{ id: string }[]>`select uuidv7()::text as id`;
  const { locale, address, userAgent = null } = ctx;
  await addJob(ctx.db, task, {
    mailId: mail?.id,
    email,
    locale,
    askedAt: ctx.clock(),
    address,
    userAgent,
  });
}

/** The payload of such a job; null once its link would have ended, `minutes` after it was asked for. */
export function askedMail(payload: unknown, minutes: number): AskedMail | null {
  const asked = askedMailSchema.parse(payload);
  return asked.askedAt.getTime() + minutes * 60_000 > Date.now() ? asked : null;
}
