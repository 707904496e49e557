import { audit } from "@/lib/audit/audit";
import { giveNotice } from "@/lib/audit/notices";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { type MerchantStatus, targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { type MerchantNames, merchantName } from "@/lib/domain/merchant-name";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { attachUpload, type CheckedUpload, checkUpload } from "@/lib/files/attach";
import { operation } from "@/lib/operations/operation";
import { reapplySchema } from "./model/merchant";

// Each one asks the administrators to look again.
const APPLICATIONS: GuardLimit = { name: "reapply", points: 3, seconds: 24 * 60 * 60 };

/**
 * A rejected merchant applies again, with further documents: it is pending, its earlier documents stay, and the
 * administrators see that it is a repeat and why the last one was rejected. Three times a day. Throws no_change unless
 * the merchant is rejected, conflict when it was decided meanwhile, upload_unknown, upload_mismatch, upload_too_large,
 * rate_limited.
 */
export const reapply = operation({
  permission: "merchant.profile",
  input: reapplySchema,
  errors: ["no_change", "conflict", "upload_unknown", "upload_mismatch", "upload_too_large"],
  run: async (ctx, input): Promise<{ status: MerchantStatus }> => {
    const merchantId = targetMerchantId(ctx.reach, undefined);
    if (ctx.actor.merchantStatus !== "rejected") throw new DomainError("no_change");
    await consume(ctx.db, APPLICATIONS, merchantId);
    // One file at a time: decoding an image takes memory.
    const documents: CheckedUpload[] = [];
    for (const key of input.documents ?? []) documents.push(await checkUpload(ctx, key, "document"));
    await ctx.db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<(MerchantNames & { applications: number; reason: string | null })[]>`
      update merchants set status = 'pending', status_reason = null, previous_reason = status_reason,
        applications = applications + 1, applied_again_at = now(), application_note = ${input.note ?? null}::text,
        profile_version = profile_version + 1, updated_at = now()
      where id = ${merchantId}::uuid and status = 'rejected'
      returning business_name as "businessName", business_name_ar as "businessNameAr",
        new.applications, old.status_reason as reason`;
      if (!row) throw new DomainError("conflict");
      for (const file of documents) await attachUpload(tx, file, merchantId);
      await giveNotice(tx, { kind: "merchant_again", merchantId: null, aboutId: merchantId });
      await audit(tx, ctx, {
        merchantId,
        action: "merchant.reapplied",
        entity: "merchant",
        entityId: merchantId,
        before: { status: "rejected", reason: row.reason },
        after: { status: "pending", applications: row.applications, documents: documents.length },
      });
      await queueEmail(tx, {
        to: ctx.actor.email,
        template: "merchant_received",
        locale: ctx.actor.locale ?? ctx.locale,
        params: {
          name: ctx.actor.firstName,
          merchant: merchantName(row, ctx.actor.locale ?? ctx.locale),
          url: `${env().APP_URL}/account-status`,
        },
      });
    });
    return { status: "pending" };
  },
});
