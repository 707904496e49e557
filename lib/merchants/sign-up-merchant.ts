import { hashPassword } from "@/lib/accounts/password";
import { audit } from "@/lib/audit/audit";
import type { PublicContext } from "@/lib/db/context";
import { mapUniqueViolation } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import type { MerchantStatus } from "@/lib/domain/actor";
import { type MerchantSignUp, merchantSignUpSchema } from "@/lib/domain/merchant";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { attachUpload, type CheckedUpload, checkUpload } from "@/lib/files/attach";

// Each makes an account nobody asked for and mails the address that was named, in the caller's words.
const PER_ADDRESS: GuardLimit = { name: "merchant-sign-up", points: 20, seconds: 60 * 60 };

export type SignedUpMerchant = { id: string; status: MerchantStatus };

/**
 * Makes a pending merchant with its owner, its first branch and its files, all or nothing; the owner is mailed.
 * Throws email_taken, weak_password, upload_unknown, upload_mismatch, upload_too_large, rate_limited.
 */
export async function signUpMerchant(ctx: PublicContext, input: MerchantSignUp): Promise<SignedUpMerchant> {
  await consume(ctx.db, PER_ADDRESS, ctx.address);
  const passwordHash = await hashPassword(input.password);
  // Files are looked at one after the other: an image is redrawn, which takes memory.
  const image = input.image ? await checkUpload(ctx, input.image, "image") : null;
  const documents: CheckedUpload[] = [];
  for (const key of input.documents ?? []) documents.push(await checkUpload(ctx, key, "document"));
  const { firstName, lastName, email, phone, businessName } = input;
  return mapUniqueViolation("email_taken", "email", () =>
    ctx.db.$transaction(async (tx) => {
      const merchant = await tx.merchant.create({
        data: {
          businessName,
          firstName,
          lastName,
          email,
          phone,
          imageKey: image?.key ?? null,
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
            },
          },
        },
        select: { id: true, status: true },
      });
      for (const file of image ? [image, ...documents] : documents) {
        await attachUpload(tx, file, merchant.id);
      }
      await audit(tx, ctx, {
        merchantId: merchant.id,
        action: "merchant.received",
        entity: "merchant",
        entityId: merchant.id,
      });
      await queueEmail(tx, {
        to: email,
        template: "merchant_received",
        locale: ctx.locale,
        params: { name: firstName, merchant: businessName, url: `${env().APP_URL}/account-status` },
      });
      return merchant;
    }),
  );
}
signUpMerchant.permission = "public" as const;
signUpMerchant.input = merchantSignUpSchema;
signUpMerchant.errors = [
  "email_taken",
  "weak_password",
  "upload_unknown",
  "upload_mismatch",
  "upload_too_large",
] as const;
