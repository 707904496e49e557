import { z } from "zod";
import type { ShownId } from "@/lib/customers/model/customer-id";

/** The records that a notice is about; null where there is none or a customer was erased. */
type About = {
  recordId: string | null;
  customerId: ShownId | null;
  merchantId: string | null;
  /** Whether the change that waits raises a limit, and is not of the points configuration. */
  ofLimit: boolean;
};
const customer = ({ customerId }: About) => `/merchant/customers/${customerId}`;
const movement = ({ recordId }: About) => `/merchant/transactions/${recordId}`;
const shift = ({ recordId }: About) => `/merchant/shifts/${recordId}`;
const merchant = ({ merchantId }: About) => `/admin/merchants/${merchantId}`;

/** The page that deals with a notice, by its kind: first those of a merchant's owners, then those that administrators decide. */
const PAGES = {
  card_frozen: customer,
  unfreeze_asked: customer,
  large_redemption: movement,
  code_asked: customer,
  offline_inbox: () => "/merchant/offline",
  drawer_difference: shift,
  drawer_uncounted: shift,
  drawer_pay_out: shift,
  other_till_cash: movement,
  worker_pin_locked: () => "/merchant/tills",
  till_pins_locked: () => "/merchant/tills",
  many_openings: () => "/merchant/activity?kind=opening",
  frozen_capture: movement,
  held_share: () => "/merchant/liability",
  profile_approved: () => "/merchant/account",
  profile_rejected: () => "/merchant/account",
  merchant_waiting: merchant,
  merchant_again: merchant,
  profile_waiting: merchant,
  change_waiting: (about: About) => {
    if (about.ofLimit) return about.merchantId ? merchant(about) : "/admin/settings";
    return `/admin/points-config${about.merchantId ? `?merchantId=${about.merchantId}` : ""}`;
  },
};
export type NoticeKind = keyof typeof PAGES;
export const NOTICE_KINDS = Object.keys(PAGES) as NoticeKind[];

/** A redemption of this many dirhams or more is reported to the owner. */
export const LARGE_REDEMPTION = 50_000;
/** The bell counts no further. */
export const MOST_UNREAD = 99;

export const seenSchema = z.object({
  until: z.iso.datetime("validation.date").refine((text) => text >= "1900", { error: "validation.date" }),
});

/** A notice with the present names of what it is about; null where there is none or a customer was erased. */
export type Notice = About & {
  id: string;
  kind: NoticeKind;
  createdAt: Date;
  unread: boolean;
  /** Points, dirhams or a count, by the kind. */
  amount: number | null;
  customerName: string | null;
  personName: string | null;
  tillName: string | null;
  merchantName: string | null;
  merchantNameAr: string | null;
};

/** The page that deals with a notice. */
export const noticePath = (notice: Notice): string => PAGES[notice.kind](notice);
