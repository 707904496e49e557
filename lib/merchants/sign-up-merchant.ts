import { hashPassword } from "@/lib/accounts/password";
import { auditMerchant } from "@/lib/audit/audit";
import { giveNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { mapUniqueViolation } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { type MerchantStatus, targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { type MerchantNames, merchantName } from "@/lib/domain/localized-names";
import type { Locale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { attachUpload, type CheckedUpload, checkUpload } from "@/lib/files/attach";
import { operation } from "@/lib/operations/operation";
import { FIRST_WORKER_DAILY_CAP } from "@/lib/points-config/model";
import { linkToken } from "@/lib/secrets/secrets";
import { merchantSignUpSchema, reapplySchema } from "./model/merchant";

/** Checks the uploads of an application. One file at a time: decoding an image takes memory. */
async function checkDocuments(ctx: PublicContext, keys: readonly string[] = []): Promise<CheckedUpload[]> {
  const documents: CheckedUpload[] = [];
  for (const key of keys) documents.push(await checkUpload(ctx, key, "document"));
  return documents;
}

async function mailReceived(
  tx: Tx,
  { to, name, locale }: { to: string; name: string; locale: Locale },
  names: MerchantNames,
): Promise<void> {
  const params = { name, merchant: merchantName(names, locale), url: `${env().APP_URL}/account-status` };
  await queueEmail(tx, { to, template: "merchant_received", locale, params });
}

// Each sign-up creates an account and e-mails an address that the caller chose.
const SIGN_UPS_PER_ADDRESS: GuardLimit = { name: "merchant-sign-up", points: 20, seconds: 60 * 60 };

/** Creates a pending merchant with owner, branch and files. Mails a link that proves the mailbox; other e-mails wait for it. */
export const signUpMerchant = operation({
  permission: "public",
  input: merchantSignUpSchema,
  errors: ["email_taken", "weak_password", "upload_unknown", "upload_mismatch", "upload_too_large"],
  run: async (ctx, input): Promise<{ id: string; status: MerchantStatus }> => {
    await consume(ctx.db, SIGN_UPS_PER_ADDRESS, ctx.address);
    const passwordHash = await hashPassword(input.password, { owner: input });
    const image = input.image ? await checkUpload(ctx, input.image, "image") : null;
    const documents = await checkDocuments(ctx, input.documents);
    const { firstName, lastName, email, phone, businessName, businessNameAr = null } = input;
    return mapUniqueViolation("email_taken", "email", () =>
      ctx.db.$transaction(async (tx) => {
        const merchant = await tx.merchant.create({
          data: {
            businessName,
            businessNameAr,
            firstName,
            lastName,
            email,
            phone,
            imageKey: image?.key ?? null,
            workerDailyCap: FIRST_WORKER_DAILY_CAP,
            branches: { create: { name: input.branch.name, city: input.branch.city } },
            staff: {
              create: {
                role: "merchant_owner",
                firstName,
                lastName,
                email,
                phone,
                passwordHash,
                locale: ctx.locale,
                emailProvedAt: null,
              },
            },
          },
          select: { id: true, status: true, staff: { select: { id: true } } },
        });
        for (const file of image ? [image, ...documents] : documents) {
          await attachUpload(tx, file, merchant.id);
        }
        await giveNotice(tx, { kind: "merchant_waiting", merchantId: null, aboutId: merchant.id });
        await auditMerchant(tx, ctx, merchant.id, { action: "merchant.received" });
        for (const { id } of merchant.staff) {
          const params = { url: `${env().APP_URL}/confirm-email/${linkToken("mailbox", id)}` };
          await queueEmail(tx, { to: email, template: "confirm_mailbox", locale: ctx.locale, params });
        }
        // It contains text of the applicant, so it waits until the mailbox is proved.
        const owner = { to: email, name: firstName, locale: ctx.locale };
        await mailReceived(tx, owner, { businessName, businessNameAr });
        return { id: merchant.id, status: merchant.status };
      }),
    );
  },
});

// Each one asks the administrators to look again.
const APPLICATIONS: GuardLimit = { name: "reapply", points: 3, seconds: 24 * 60 * 60 };

/** A rejected merchant applies again, three times a day; administrators see why the last was rejected. */
export const reapply = operation({
  permission: "merchant.profile",
  input: reapplySchema,
  errors: ["no_change", "conflict", "upload_unknown", "upload_mismatch", "upload_too_large"],
  run: async (ctx, input): Promise<{ status: MerchantStatus }> => {
    const merchantId = targetMerchantId(ctx.reach, undefined);
    if (ctx.actor.merchantStatus !== "rejected") throw new DomainError("no_change");
    await consume(ctx.db, APPLICATIONS, merchantId);
    const documents = await checkDocuments(ctx, input.documents);
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
      await auditMerchant(tx, ctx, merchantId, {
        action: "merchant.reapplied",
        before: { status: "rejected", reason: row.reason },
        after: { status: "pending", applications: row.applications, documents: documents.length },
      });
      const { email: to, firstName: name, locale } = ctx.actor;
      await mailReceived(tx, { to, name, locale: locale ?? ctx.locale }, row);
    });
    return { status: "pending" };
  },
});
