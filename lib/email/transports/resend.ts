import { Resend } from "resend";
import { type OutgoingEmail, PROVIDER_PATIENCE, type Transport } from "./types";

/** Delivers by Resend. The outbox row's id is the idempotency key: a repeated delivery is one message. */
export function resendTransport(apiKey: string, from: string, baseUrl?: string): Transport {
  const resend = new Resend(apiKey, baseUrl ? { baseUrl: baseUrl.replace(/\/$/, "") } : {});
  return {
    name: "resend",
    async send({ id, recipient, subject, text, html }: OutgoingEmail) {
      const message = {
        from,
        to: [recipient],
        subject,
        text,
        html,
        headers: { "Auto-Submitted": "auto-generated" },
      };
      const { error } = await inTime(resend.emails.send(message, { idempotencyKey: id }));
      if (error) throw new Error(`Resend: ${error.name}: ${error.message}`);
    },
  };
}

/** The client itself waits for ever. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("Resend: no answer in time")), PROVIDER_PATIENCE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
