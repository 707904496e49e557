import { type ErrorResponse, Resend } from "resend";
import { BatchRefused, NotSent, type OutgoingEmail, PROVIDER_TIMEOUT_MS, type Transport } from "./message";

/** E-mails in one call of Resend at most. */
const BATCH_LIMIT = 100;

/** Errors about what is in a batch, which concern one of its e-mails or the key that it was sent with before. */
const ABOUT_CONTENT: readonly ErrorResponse["name"][] = [
  "validation_error",
  "missing_required_field",
  "invalid_parameter",
  "invalid_idempotent_request",
];

const textOf = ({ name, message }: ErrorResponse) => `Resend: ${name}: ${message}`;

/** The error of a batch. After a 5xx, and while Resend works on the same batch, it is unknown whether it was sent. */
function batchError(error: ErrorResponse): Error {
  if (ABOUT_CONTENT.includes(error.name)) return new BatchRefused(textOf(error));
  const { statusCode, name } = error;
  const refused = statusCode !== null && statusCode >= 400 && statusCode < 500;
  const isKnown = refused && statusCode !== 408 && name !== "concurrent_idempotent_requests";
  return new (isKnown ? NotSent : Error)(textOf(error));
}

/**
 * Sends through Resend: receipts in batches, other e-mails one by one. The idempotency key is the id of the outbox row or
 * of the batch, so sending again within 24 hours delivers one message.
 */
export function resendTransport(apiKey: string, from: string, baseUrl?: string): Transport {
  const resend = new Resend(apiKey, baseUrl ? { baseUrl: baseUrl.replace(/\/$/, "") } : {});
  const messageOf = ({ recipient, subject, text, html }: OutgoingEmail) => ({
    from,
    to: [recipient],
    subject,
    text,
    html,
    headers: { "Auto-Submitted": "auto-generated" },
  });
  return {
    name: "resend",
    connections: { account: 2, receipt: 2 },
    async send(mail) {
      const { error } = await withTimeout(resend.emails.send(messageOf(mail), { idempotencyKey: mail.id }));
      if (error) throw new Error(textOf(error));
    },
    batches: {
      limit: BATCH_LIMIT,
      async send(mails, key) {
        // Permissive: an e-mail that Resend cannot accept does not hold up the others.
        const options = { idempotencyKey: key, batchValidation: "permissive" } as const;
        const { data, error } = await withTimeout(resend.batch.send(mails.map(messageOf), options));
        if (error) throw batchError(error);
        const refused = new Map((data.errors ?? []).map(({ index, message }) => [index, message]));
        return mails.map((_, index) => {
          const message = refused.get(index);
          return message === undefined ? null : new Error(`Resend: ${message}`);
        });
      },
    },
  };
}

/** Adds a timeout, which Resend's client lacks. Throws when it elapses. */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("Resend: no answer in time")), PROVIDER_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
