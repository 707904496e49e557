import { z } from "zod";
import type { ShownId } from "@/lib/customers/model/customer-id";

/** The kinds of notices for the owners of a merchant. */
const OWNER_NOTICES = [
  "card_frozen",
  "unfreeze_asked",
  "large_redemption",
  "code_asked",
  "offline_inbox",
  "drawer_difference",
  "drawer_uncounted",
  "drawer_pay_out",
  "other_till_cash",
  "worker_pin_locked",
  "till_pins_locked",
  "many_openings",
  "frozen_capture",
  "held_share",
  "profile_approved",
  "profile_rejected",
] as const;
/** The kinds of notices for administrators: what waits for their decision. */
const PLATFORM_NOTICES = ["merchant_waiting", "merchant_again", "profile_waiting", "change_waiting"] as const;
export const NOTICE_KINDS = [...OWNER_NOTICES, ...PLATFORM_NOTICES] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** A redemption of this many dirhams or more is reported to the owner. */
export const LARGE_REDEMPTION = 50_000;
/** The bell counts no further. */
export const MOST_UNREAD = 99;

export const seenSchema = z.object({
  /** The time of the newest notice that was shown. */
  until: z.iso.datetime("validation.date").refine((text) => text >= "1900", { error: "validation.date" }),
});

/** A notice with the present names of what it is about; null where there is none or a customer was erased. */
export type Notice = {
  id: string;
  kind: NoticeKind;
  createdAt: Date;
  unread: boolean;
  /** Points, dirhams or a count, by the kind. */
  amount: number | null;
  recordId: string | null;
  customerId: ShownId | null;
  customerName: string | null;
  personName: string | null;
  tillName: string | null;
  merchantId: string | null;
  merchantName: string | null;
  merchantNameAr: string | null;
  /** Whether the change that waits raises a limit, and is not of the points configuration. */
  ofLimit: boolean;
};

/** The page that deals with a notice. */
export function noticePath({ kind, recordId, customerId, merchantId, ofLimit }: Notice): string {
  switch (kind) {
    case "card_frozen":
    case "unfreeze_asked":
    case "code_asked":
      return `/merchant/customers/${customerId}`;
    case "large_redemption":
    case "other_till_cash":
    case "frozen_capture":
      return `/merchant/transactions/${recordId}`;
    case "offline_inbox":
      return "/merchant/offline";
    case "drawer_difference":
    case "drawer_uncounted":
    case "drawer_pay_out":
      return `/merchant/shifts/${recordId}`;
    case "worker_pin_locked":
    case "till_pins_locked":
      return "/merchant/tills";
    case "held_share":
      return "/merchant/liability";
    case "many_openings":
      return "/merchant/activity?kind=opening";
    case "profile_approved":
    case "profile_rejected":
      return "/merchant/account";
    case "merchant_waiting":
    case "merchant_again":
    case "profile_waiting":
      return `/admin/merchants/${merchantId}`;
    case "change_waiting":
      if (ofLimit) return merchantId ? `/admin/merchants/${merchantId}` : "/admin/settings";
      return `/admin/points-config${merchantId ? `?merchantId=${merchantId}` : ""}`;
  }
}
