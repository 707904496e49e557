import { auditMerchant } from "@/lib/audit/audit";
import { giveNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { type MerchantStatus, targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { attachUpload, type CheckedUpload, checkUpload, detachUpload } from "@/lib/files/attach";
import { coloursOfMerchant } from "@/lib/files/picture-colour";
import { addJobOf } from "@/lib/jobs/add-job";
import { operation } from "@/lib/operations/operation";
import { SHOWN, takePendingProfile, toPendingProfile, toProfileChange } from "./lookups";
import {
  type Business,
  type ShownProfile,
  type UpdateBusiness,
  updateBusinessSchema,
} from "./model/merchant";

const select = { id: true, phone: true, ...SHOWN } as const;

/** The caller's merchant. */
export const viewBusiness = operation({
  permission: "merchant.profile",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<Business> => {
    const merchantId = targetMerchantId(ctx.reach, undefined);
    const { profileChange, ...row } = await ctx.db.merchant.findUniqueOrThrow({
      where: { id: merchantId },
      select: { ...select, profileChange: true },
    });
    const { via: imageColour } = await coloursOfMerchant(ctx.db, { ...row, colour: null });
    return { ...row, imageColour, pending: profileChange && toPendingProfile(profileChange) };
  },
});

type Wanted = Partial<ShownProfile & { phone: string }>;

/** Locks the merchant's row, so that concurrent changes and decisions run one after the other. */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<void> {
  await tx.$queryRaw`select 1 from merchants where id = ${merchantId}::uuid for update`;
}

/** Detaches the files of `before` that `wanted` replaces or removes; all without it. */
export async function detachFiles(
  tx: Tx,
  before: Partial<ShownProfile>,
  wanted: Wanted = { imageKey: null, logoKey: null },
): Promise<void> {
  for (const file of ["imageKey", "logoKey"] as const) {
    const old = before[file];
    if (wanted[file] !== undefined && old) await detachUpload(tx, old);
  }
}

/** Writes a new profile. Detaches replaced files, and updates the wallet passes, which show all but the phone. */
export async function writeProfile(
  tx: Tx,
  ctx: Context,
  merchantId: string,
  before: Pick<ShownProfile, "imageKey" | "logoKey">,
  wanted: Wanted,
): Promise<void> {
  await detachFiles(tx, before, wanted);
  await tx.merchant.update({
    where: { id: merchantId },
    data: { ...wanted, profileVersion: { increment: 1 } },
    select: { id: true },
  });
  const { phone: _, ...shown } = wanted;
  if (Object.keys(shown).length === 0) return;
  await addJobOf(tx, ctx, "cards_changed", { merchantId }, { key: `cards_changed:${merchantId}` });
}

/** Keeps what an approved merchant's customers would see for an administrator to decide, with what waits already. */
async function keepForDecision(
  tx: Tx,
  ctx: Context,
  merchantId: string,
  before: ShownProfile,
  wanted: Partial<ShownProfile>,
) {
  const waiting = (await takePendingProfile(tx, merchantId)) ?? {};
  await detachFiles(tx, waiting, wanted);
  await tx.profileChange.create({
    data: { merchantId, ...toProfileChange({ ...waiting, ...wanted }) },
    select: { id: true },
  });
  await giveNotice(tx, { kind: "profile_waiting", merchantId: null, aboutId: merchantId });
  await auditMerchant(tx, ctx, merchantId, {
    action: "merchant.profile_asked",
    before: Object.fromEntries(Object.keys(SHOWN).map((key) => [key, before[key as keyof ShownProfile]])),
    after: wanted,
  });
}

/** The part of the input that differs. A new file always does; removing a missing file does not. */
function shownChanges(
  before: ShownProfile,
  { businessName, businessNameAr, colour, image, logo }: UpdateBusiness,
): Partial<ShownProfile> {
  const wanted = { businessName, businessNameAr, colour, imageKey: image, logoKey: logo };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) => value !== undefined && value !== before[key as keyof ShownProfile],
    ),
  );
}

// Each one asks the administrators to look again.
const ASKED: GuardLimit = { name: "profile-change", points: 20, seconds: 24 * 60 * 60 };

/** Changes the caller's merchant. If it is approved, all but the phone waits for an administrator, 20 times a day at most. */
export const updateBusiness = operation({
  permission: "merchant.profile",
  input: updateBusinessSchema,
  run: async (ctx, input): Promise<Business> => {
    const merchantId = targetMerchantId(ctx.reach, undefined);
    const { phone } = input;
    const about = { where: { id: merchantId }, select: { ...select, status: true } } as const;
    const asked = (present: ShownProfile & { status: MerchantStatus }) =>
      present.status === "approved" && Object.keys(shownChanges(present, input)).length > 0;
    if (asked(await ctx.db.merchant.findUniqueOrThrow(about))) await consume(ctx.db, ASKED, merchantId);
    const files: CheckedUpload[] = [];
    // One file at a time: decoding an image takes memory.
    for (const key of [input.image, input.logo]) if (key) files.push(await checkUpload(ctx, key, "image"));
    await ctx.db.$transaction(async (tx) => {
      await lockMerchant(tx, merchantId);
      const { status, ...before } = await tx.merchant.findUniqueOrThrow(about);
      for (const file of files) await attachUpload(tx, file, merchantId);
      const shown = shownChanges(before, input);
      const waits = asked({ ...before, status });
      if (waits) await keepForDecision(tx, ctx, merchantId, before, shown);
      const samePhone = phone === undefined || phone === before.phone;
      const direct: Wanted = { ...(waits ? {} : shown), ...(samePhone ? {} : { phone }) };
      if (Object.keys(direct).length === 0) return;
      await writeProfile(tx, ctx, merchantId, before, direct);
      const { id: _id, ...previous } = before;
      const change = { before: previous, after: { ...previous, ...direct } };
      await auditMerchant(tx, ctx, merchantId, { action: "merchant.changed", ...change });
    });
    return viewBusiness(ctx, {});
  },
});

/** Cancels the change that waits. Throws conflict when none waits any more. */
export const cancelProfileChange = operation({
  permission: "merchant.profile",
  input: nothingSchema,
  run: async (ctx): Promise<{ cancelled: true }> => {
    const merchantId = targetMerchantId(ctx.reach, undefined);
    await ctx.db.$transaction(async (tx) => {
      await lockMerchant(tx, merchantId);
      const taken = await takePendingProfile(tx, merchantId);
      if (!taken) throw new DomainError("conflict");
      await detachFiles(tx, taken);
      await auditMerchant(tx, ctx, merchantId, { action: "merchant.profile_cancelled" });
    });
    return { cancelled: true };
  },
});
