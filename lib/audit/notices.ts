import type { Db, Tx } from "@/lib/db/client";
import type { NoticeKind } from "@/lib/notices/model";

type NewNotice = {
  kind: NoticeKind;
  /** The merchant whose owners read it; null for the administrators. */
  merchantId: string | null;
  /** The user who caused it. This user does not get the notice. */
  userId?: string | null;
  customerId?: string;
  tillId?: string;
  /** The API key that caused it. */
  apiKeyId?: string | null;
  /** The merchant that a notice of the administrators is about. */
  aboutId?: string | null;
  recordId?: string;
  /** Points, dirhams or a count, by the kind. */
  amount?: number;
  /** Absent: the database's clock. */
  createdAt?: Date;
};

/**
 * Writes a notice, or updates the one of the same kind and record, which is then unread again. Its transaction holds a
 * lock on the record.
 */
export async function renewNotice(tx: Tx, notice: NewNotice & { recordId: string }): Promise<void> {
  const { kind, recordId } = notice;
  await tx.notice.deleteMany({ where: { kind, recordId } });
  await giveNotice(tx, notice);
}

/** Writes a notice in the transaction of the event. A second one of the same record and kind is left out. */
export async function giveNotice(tx: Db | Tx, notice: NewNotice): Promise<void> {
  await tx.notice.createMany({ data: [notice], skipDuplicates: true });
}
