/** `account`: e-mails that a person waits for. `receipt`: receipts. Each lane has its own connections. */
export type EmailLane = "account" | "receipt";
export const EMAIL_LANES: readonly EmailLane[] = ["account", "receipt"];

/** An outbox row to send. The message id contains its id, so a row that is sent twice is one message. */
export type OutgoingEmail = {
  id: string;
  lane: EmailLane;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
};

export type EmailBatches = {
  limit: number;
  /**
   * Answers one entry for each e-mail, in their order: the error of one that was refused, otherwise null. `key` is the
   * batch's: the same e-mails with the same key are delivered once. Throws BatchRefused or NotSent when none was sent,
   * and any other error when it is unknown whether they were.
   */
  send(mails: OutgoingEmail[], key: string): Promise<(Error | null)[]>;
};

export type Transport = {
  name: "resend" | "smtp" | "mailbox";
  /** How many e-mails of each lane it sends at the same time. */
  connections: Readonly<Record<EmailLane, number>>;
  /** Throws when the provider refuses the e-mail or does not answer in time. */
  send(mail: OutgoingEmail): Promise<void>;
  batches?: EmailBatches;
  /** Closes open connections, so e-mails that are being sent fail. The transport can be used again. */
  close?(): void;
};

/** The recipient was refused permanently, so a retry is useless. */
export class RecipientRefused extends Error {
  override readonly name = "RecipientRefused";
}

/** The provider refused a batch because of what is in it, and sent nothing. Its e-mails may be sent one by one. */
export class BatchRefused extends Error {
  override readonly name = "BatchRefused";
}

/** The provider sent nothing of a batch, and would not send its e-mails one by one either. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}
