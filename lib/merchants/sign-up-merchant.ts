import { hashPassword } from "@/lib/accounts/password";
import { audit } from "@/lib/audit/audit";
import { giveNotice } from "@/lib/audit/notices";
import { mapUniqueViolation } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import type { MerchantStatus } from "@/lib/domain/actor";
import { merchantName } from "@/lib/domain/merchant-name";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { attachUpload, type CheckedUpload, checkUpload } from "@/lib/files/attach";
import { operation } from "@/lib/operations/operation";
import { FIRST_WORKER_DAILY_CAP } from "@/lib/points-config/model";
import { linkToken } from "@/lib/secrets/secrets";
import { merchantSignUpSchema } from "./model/merchant";

// Each sign-up creates an account and e-mails an address that the caller chose.
const SIGN_UPS_PER_ADDRESS: GuardLimit = { name: "merchant-sign-up", points: 20, seconds: 60 * 60 };

export type SignedUpMerchant = { id: string; status: MerchantStatus };

/**
 * Creates a pending merchant with its owner, first branch and files in one transaction, and mails a link that proves
 * the mailbox. Other e-mails wait for that.
 * An address can do so 20 times an hour.
 * Throws email_taken, weak_password, upload_unknown, upload_mismatch, upload_too_large, rate_limited.
 */
export const signUpMerchant = operation({
  permission: "public",
  input: merchantSignUpSchema,
  errors: ["email_taken", "weak_password", "upload_unknown", "upload_mismatch", "upload_too_large"],
  run: async (ctx, input): Promise<SignedUpMerchant> => {
    await consume(ctx.db, SIGN_UPS_PER_ADDRESS, ctx.address);
    const passwordHash = await hashPassword(input.password, { owner: input });
    // One file at a time: decoding an image takes memory.
    const image = input.image ? await checkUpload(ctx, input.image, "image") : null;
    const documents: CheckedUpload[] = [];
    for (const key of input.documents ?? []) documents.push(await checkUpload(ctx, key, "document"));
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
        await audit(tx, ctx, {
          merchantId: merchant.id,
          action: "merchant.received",
          entity: "merchant",
          entityId: merchant.id,
        });
        for (const { id } of merchant.staff) {
          const url = `${env().APP_URL}/confirm-email/${linkToken("mailbox", id)}`;
          await queueEmail(tx, {
            to: email,
            template: "confirm_mailbox",
            locale: ctx.locale,
            params: { url },
          });
        }
        // It contains text of the applicant, so it waits until the mailbox is proved.
        await queueEmail(tx, {
          to: email,
          template: "merchant_received",
          locale: ctx.locale,
          params: {
            name: firstName,
            merchant: merchantName({ businessName, businessNameAr }, ctx.locale),
            url: `${env().APP_URL}/account-status`,
          },
        });
        return { id: merchant.id, status: merchant.status };
      }),
    );
  },
});
