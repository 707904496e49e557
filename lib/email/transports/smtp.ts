import { createTransport } from "nodemailer";
import { messageOf } from "./message";
import { type OutgoingEmail, PROVIDER_PATIENCE, RecipientRefused, type Transport } from "./types";

/** Delivers by SMTP; `url` as nodemailer reads it (smtp://user:password@host:port). */
export function smtpTransport(url: string, from: string): Transport {
  const patience = {
    connectionTimeout: PROVIDER_PATIENCE,
    greetingTimeout: PROVIDER_PATIENCE,
    socketTimeout: PROVIDER_PATIENCE,
  };
  const mailer = createTransport({ url, ...patience });
  return {
    name: "smtp",
    async send(mail: OutgoingEmail) {
      try {
        await mailer.sendMail(messageOf(mail, from));
      } catch (error) {
        throw isRefusal(error) ? new RecipientRefused(error.message, { cause: error }) : error;
      }
    },
  };
}

function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error) || !("responseCode" in error)) return false;
  return error.code === "EENVELOPE" && Number(error.responseCode) >= 550;
}
