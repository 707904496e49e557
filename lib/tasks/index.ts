import { mailFactorTries, mailPasswordTries } from "@/lib/accounts/attempts";
import { mailReset } from "@/lib/accounts/set-password";
import { manyOpenings } from "@/lib/audit/notices";
import { applyEmailChanges } from "@/lib/cards/change-email";
import { mailCardLinks } from "@/lib/cards/mail-cards";
import { giveCustomerCodes, queueCustomerCodes } from "@/lib/customers/give-codes";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { mailTransport } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { removeStaleUploads } from "@/lib/files/uploads";
import { alertHeld } from "@/lib/holds/holds";
import type { TaskTable } from "@/lib/jobs/queue";
import { runCron } from "@/lib/jobs/run-due";
import { CORE_TASKS } from "@/lib/jobs/task-registry";
import { mailSealsOfYesterday } from "@/lib/ledger/mail-seals";
import { checkLedger } from "@/lib/ledger/run-check";
import { type ActorFrom, operation } from "@/lib/operations/operation";
import { updateGoogleClassTask, updateGooglePassTask } from "@/lib/passes/google-wallet";
import { pushPassTask } from "@/lib/passes/push";
import { applyPending } from "@/lib/points-config/apply-pending";
import { hashSecret, secretsEqual } from "@/lib/secrets/secrets";
import { deliverWebhooks, mailFailingDays } from "@/lib/webhooks/deliver";
import { cardsChanged, customerErased, customerRenamed, processPostingOutbox } from "./movement-posted";

/** All tasks by job name, with those of the operations. Only the server's start and the cron route import it. */
export const TASKS: TaskTable = {
  ...CORE_TASKS,
  follow_postings: processPostingOutbox,
  deliver_webhooks: deliverWebhooks,
  check_ledger: checkLedger,
  mail_cards: mailCardLinks,
  mail_factor_tries: mailFactorTries,
  mail_password_tries: mailPasswordTries,
  mail_reset: mailReset,
  mail_seals: mailSealsOfYesterday,
  many_openings: manyOpenings,
  apply_pending: applyPending,
  apply_email_changes: applyEmailChanges,
  give_customer_codes: giveCustomerCodes,
  customer_erased: customerErased,
  customer_renamed: customerRenamed,
  cards_changed: cardsChanged,
  push_pass: pushPassTask,
  update_google_pass: updateGooglePassTask,
  update_google_class: updateGoogleClassTask,
  async sweep(ctx, payload) {
    await CORE_TASKS.sweep(ctx, payload);
    await queueCustomerCodes(ctx.db);
    await alertHeld(ctx.db);
    await mailFailingDays(ctx.db);
    // Last, because it fails while the storage is down.
    await removeStaleUploads(ctx.db);
  },
};

/** The system actor, if the header is `Bearer` and CRON_SECRET. Throws unauthenticated otherwise. */
const systemBySecret: ActorFrom<unknown> = async (_ctx, _input, { authorization }) => {
  const secret = env().CRON_SECRET;
  // Hashes have one length, so that the time tells nothing of the secret's.
  if (!secret || !secretsEqual(hashSecret(authorization ?? ""), hashSecret(`Bearer ${secret}`))) {
    throw new DomainError("unauthenticated");
  }
  return { type: "system", job: "cron" };
};

/** Runs the sweep, the daily sums, and all due jobs and e-mails, where no worker runs. */
export const runScheduledWork = operation({
  permission: "jobs.run",
  input: nothingSchema,
  errors: ["unauthenticated"],
  readOnly: true,
  actorFrom: systemBySecret,
  run: async (ctx): Promise<{ done: true }> => {
    await runCron({ db: ctx.db, transport: mailTransport() }, TASKS);
    return { done: true };
  },
});
