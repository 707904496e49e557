import { noticesPath, PANELS } from "@/lib/domain/panels";
import { ROLES, type Role } from "@/lib/domain/roles";

/** The ids of existing records that the pages show. */
export type PageIds = {
  merchant: string;
  customer: string;
  publicId: string;
  movement: string;
  /** A closed shift, if the merchant has one. */
  shift?: string;
};
export type Visitor = Role | "anonymous" | "pending";

const panelPages = (role: Role): string[] => [
  ...new Set([
    PANELS[role].dashboard,
    ...PANELS[role].menu.map((entry) => entry.href),
    ...[noticesPath(role) ?? []].flat(),
  ]),
];

/** Every page that a kind of visitor may open, as paths. */
export function pagesFor(visitor: Visitor, ids: PageIds): string[] {
  const details: Partial<Record<Visitor, string[]>> = {
    anonymous: [
      "/login",
      "/login/till",
      "/signup",
      "/forgot-password",
      "/reset-password/a-link-that-is-none",
      `/customer/signup/${ids.merchant}`,
      "/customer/signup/unknown",
      `/customer/loyalty-card/${ids.customer}`,
      "/customer/loyalty-card",
      "/customer/loyalty-card/00000000-0000-4000-8000-000000000000",
      "/card/freeze/a-link-that-is-none",
      "/card/email-change/a-link-that-is-none",
      "/card/device/a-link-that-is-none",
      "/card/open/a-link-that-is-none",
      "/confirm-email/a-link-that-is-none",
      "/card/deleted",
      "/dev/mailbox",
      "/privacy",
      "/help",
      "/help/owner",
      "/help/cashier",
      "/help/customer",
      "/help/developers",
      "/docs",
    ],
    pending: ["/account-status", "/merchant/account"],
    super_admin: [
      `/admin/customers/${ids.customer}`,
      `/admin/merchants/${ids.merchant}`,
      `/admin/transactions/${ids.movement}`,
      `/admin/points-config?merchantId=${ids.merchant}`,
      `/topup/${ids.publicId}`,
      "/topup/00000000-0000-4000-8000-000000000000",
    ],
    admin: [`/admin/merchants/${ids.merchant}`, `/topup/${ids.publicId}`],
    merchant_owner: [
      `/merchant/customers/${ids.customer}`,
      `/merchant/transactions/${ids.movement}`,
      "/merchant/liability/holds?state=all",
      "/merchant/settings/integrations",
      "/merchant/settings/integrations/webhooks",
      ...(ids.shift ? [`/merchant/shifts/${ids.shift}`] : []),
      `/topup/${ids.publicId}`,
      "/merchant/transactions?search=nobody-is-called-so",
      "/merchant/customers?search=nobody-is-called-so&status=blocked",
      "/merchant/customers/00000000-0000-4000-8000-000000000000",
    ],
    branch_worker: [`/topup/${ids.publicId}`],
  };
  const own = ROLES.find((role) => role === visitor);
  return [...(own ? panelPages(own) : []), ...(details[visitor] ?? [])];
}
