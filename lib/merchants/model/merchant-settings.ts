import { z } from "zod";
import { betweenMessage } from "@/lib/domain/errors";
import { idSchema } from "@/lib/domain/ids";
import { toLatinDigits } from "@/lib/domain/money";
import { qarBetween } from "@/lib/domain/typed";
import { reasonSchema } from "@/lib/ledger/model/movements";
import { TENDERS } from "@/lib/ledger/model/tender";
import type { WaitingState } from "@/lib/points-config/model";
import { PAPER_WIDTHS, type PaperWidth } from "@/lib/receipts/model/receipt";

export const SPEND_ORDERS = ["bonus_first", "paid_first"] as const;

/** A higher limit of redemptions without proof that waits, in points. */
export type PendingLimit = WaitingState & {
  name: "redeemAllowance" | "redeemAllowanceCeiling" | "unprovedWorkerDaily";
  before: number;
  wanted: number;
};

export type SettingsView = MerchantSettings & {
  redeemAllowanceCeiling: number;
  pending: PendingLimit | null;
  pendingWorker: PendingLimit | null;
};

/** The highest value of each number. The database's CHECKs have the same limits or higher ones. */
const MAX = { refundDays: 365, idleLockMinutes: 120, points: 1_000_000, dirhams: 10_000_000 } as const;

/** A whole number from 0 to `max`: a number, or its text in Latin, Arabic-Indic or Persian digits. */
function wholeNumber(max: number) {
  return z
    .union([z.number(), z.string().max(20, { error: "validation.settingNumber" })], {
      error: "validation.settingNumber",
    })
    .transform((value) => toLatinDigits(String(value)).trim())
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) <= max, betweenMessage(0, max))
    .transform(Number);
}

const tenders = z
  .array(z.enum(TENDERS, { error: "validation.tender" }), { error: "validation.tenders" })
  .min(1, { error: "validation.tenders" })
  .max(20, { error: "validation.tenders" })
  .transform((chosen) => TENDERS.filter((tender) => chosen.includes(tender)));

const paperWidth = z
  .union([z.number(), z.string().max(10, { error: "validation.invalid" })], { error: "validation.invalid" })
  .refine((value) => PAPER_WIDTHS.some((width) => String(width) === String(value)), "validation.invalid")
  .transform((value) => Number(value) as PaperWidth);

export const changeSettingsSchema = z.object({
  id: idSchema,
  spendOrder: z.enum(SPEND_ORDERS, { error: "validation.invalid" }).optional(),
  /** For how many days a worker may refund a redemption; with 0 only owners refund. */
  refundDays: wholeNumber(MAX.refundDays).optional(),
  tillRequired: z.boolean({ error: "validation.invalid" }).optional(),
  /** After how many idle minutes the counter locks; 0: never. */
  idleLockMinutes: wholeNumber(MAX.idleLockMinutes).optional(),
  /** The largest top-up without a connection, in points. */
  offlineMaxTopUp: wholeNumber(MAX.points).optional(),
  /** The largest sum of unsent top-ups on a till, in points. */
  offlineMaxTotal: wholeNumber(MAX.points).optional(),
  /** The difference of a counted drawer above which the owner gets an e-mail, in dirhams. */
  drawerTolerance: wholeNumber(MAX.dirhams).optional(),
  /** The points that one worker may redeem in a day without confirmation. */
  unprovedWorkerDaily: wholeNumber(MAX.points).optional(),
  /** The points that a customer may redeem in a day without confirmation. */
  redeemAllowance: wholeNumber(MAX.points).optional(),
  tenders: tenders.optional(),
  askSaleRef: z.boolean({ error: "validation.invalid" }).optional(),
  /** The width of the paper of receipts, in millimetres. */
  paperWidth: paperWidth.optional(),
});
export type ChangeSettings = z.output<typeof changeSettingsSchema>;
export type MerchantSettings = Required<Omit<ChangeSettings, "id">>;

/** The same as the form has it: the difference of a drawer is typed in QAR. */
export const settingsFormSchema = changeSettingsSchema.extend({
  drawerTolerance: qarBetween(0, MAX.dirhams),
});

export type PlatformView = {
  /** The highest redeemAllowance that a merchant may set, in points. */
  redeemAllowanceCeiling: number;
  pending: PendingLimit | null;
};
export const changePlatformSchema = z.object({ redeemAllowanceCeiling: wholeNumber(MAX.points) });

export const suspendMerchantSchema = z.object({
  id: idSchema,
  suspended: z.boolean({ error: "validation.invalid" }),
  /** Required for a suspension. */
  reason: reasonSchema.optional(),
});
