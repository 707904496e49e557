import { NextIntlClientProvider } from "next-intl";
import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";
import type { NestedKeyOf } from "use-intl/core";
import type { Locale } from "@/lib/domain/roles";
import { CATALOGUES, type Messages } from "@/lib/i18n/translate";

/** Every page has these: the error screens, the switches of language and theme. */
const root = ["common", "errors.internal", "errors.unavailable", "theme", "time"] as const;

const frame = [
  ...root,
  "factors.code",
  "factors.codeHintApp",
  "factors.confirm",
  "factors.demoCode",
  "factors.demoHint",
  "factors.demoHintHide",
  "factors.demoHintLink",
  "factors.passkeyCancelled",
  "factors.password",
  "factors.recoveryCode",
  "factors.stepUpText",
  "factors.stepUpTitle",
  "factors.useApp",
  "factors.usePasskey",
  "factors.useRecovery",
  "forms",
  "list",
  "notices.bell",
  "notices.bellUnread",
  "palette",
  "panels",
  "roles",
  "shell",
  "validation",
] as const;

const counter = [
  "counter",
  "customers.statuses",
  "customerVerify",
  "errors.above_maximum",
  "errors.balance_limit",
  "errors.below_minimum",
  "errors.customer_blocked",
  "errors.customer_frozen",
  "errors.insufficient_balance",
  "holds",
  "movements",
  "offlineCounter",
  "receipts",
  "refund",
] as const;

const uploads = ["errors.upload_too_large", "errors.upload_unknown", "upload"] as const;

/** Movements, and the homes that show the latest of them. */
const movements = [
  ...frame,
  "counter.undoLost",
  "customers.erasedName",
  "home.allBranches",
  "home.branch",
  "home.chartLabel",
  "home.days",
  "home.period",
  "home.periods",
  "home.redeemed",
  "home.taken",
  "home.unit",
  "home.units",
  "merchants.link",
  "merchants.print",
  "movements",
  "receipts",
  "refund",
  "stats",
  "transactions",
] as const;

/** The namespaces that an area's client components may use. For others a browser reports MISSING_MESSAGE. */
const AREAS = {
  root,
  frame,
  till: [...frame, "atTill"],
  /** Pages without a session of staff: sign-in, the merchant's sign-up, mailed links. */
  signIn: [
    ...root,
    "account.pin.hint",
    "account.pin.title",
    "atTill",
    "auth",
    "factors",
    "forms",
    "merchants.files",
    "merchants.signup",
    ...uploads,
    "validation",
  ],
  /** Signed-in people who may not use their panel yet. */
  account: [
    ...root,
    "accountStatus",
    "auth.product",
    "confirmEmail",
    "factors",
    "forms",
    "merchants.files",
    "shell",
    ...uploads,
    "validation",
  ],
  customer: [
    ...root,
    "api.emailVerified",
    "api.otpSent",
    "api.registered",
    "card",
    "customerSignup",
    "customerVerify",
    "email.receipt.kinds",
    "errors.customer_blocked",
    "forms",
    "holds.reserved",
    "holds.states",
    "holds.sum",
    "holds.taken",
    "holds.was",
    "movements.receiptNumber",
    "movements.saleRef",
    "movements.tender",
    "movements.tenders",
    "shell.cancel",
    "shell.help",
    "validation",
    "wallet",
  ],
  cardLinks: [...root, "card.recover", "cardLinks.open", "customerVerify", "forms", "validation"],
  /** The address behind a card's code, outside the panels. */
  topup: [...root, ...counter, "forms", "roles", "shell", "topup", "validation"],
  counter: [...frame, ...counter, "atTill", "customers", "shiftDesk", "shifts", "today"],
  customers: [
    ...frame,
    "bonus",
    "card.pendingEmailCancel",
    "customers",
    "customerVerify",
    "movements",
    "receipts",
  ],
  movements,
  tillMovements: [...movements, "atTill"],
  reports: [
    ...frame,
    "counter.erase",
    "counter.pad",
    "ledger",
    "liability",
    "movements.tenders",
    "offline",
    "receipts.paid",
    "shiftDesk",
    "shifts",
    "stats",
  ],
  settings: [
    ...frame,
    "account",
    "admins",
    "apiKeys",
    "webhooks",
    "api.otpSent",
    "atTill",
    "branches",
    "config",
    "confirmEmail",
    "customerVerify",
    "factors",
    "merchants",
    "movements.tenders",
    "settings",
    "staffMenu",
    "stats",
    "status",
    "suspension",
    "tills",
    ...uploads,
    "workers",
  ],
  mailbox: [...root, "list", "mailbox"],
} as const satisfies Record<string, readonly NestedKeyOf<Messages>[]>;

type Area = keyof typeof AREAS;

type Texts = { [key: string]: string | Texts };

const nameOf = (path: string) => path.split(".", 1)[0] ?? "";

/** The texts at these paths. A namespace without a path is the catalogue's own object. */
function pick(texts: Texts, paths: readonly string[]): Texts {
  const picked = Object.entries(Object.groupBy(paths, nameOf)).map(([name, own = []]) => {
    const rest = own.map((path) => path.slice(name.length + 1));
    return [name, rest.includes("") ? texts[name] : pick(texts[name] as Texts, rest)] as const;
  });
  return Object.fromEntries(picked) as Texts;
}

const parts = new Map<string, Texts>();

/** The texts of an area. React sends an object once a page, so a part is the same object in each layout that names it. */
function textsOf(area: Area, locale: Locale): Partial<Messages> {
  const texts: Texts = {};
  for (const [name, paths = []] of Object.entries(Object.groupBy<string, string>(AREAS[area], nameOf))) {
    const key = [locale, ...paths].join(" ");
    const part = parts.get(key) ?? (pick(CATALOGUES[locale] as Texts, paths)[name] as Texts);
    parts.set(key, part);
    texts[name] = part;
  }
  return texts as Partial<Messages>;
}

/** Gives the client components below it the texts of their area. */
export async function AreaTexts({ area, children }: { area: Area; children: ReactNode }) {
  const locale = await getLocale();
  return <NextIntlClientProvider messages={textsOf(area, locale)}>{children}</NextIntlClientProvider>;
}

const layoutOf =
  (area: Area) =>
  ({ children }: { children: ReactNode }) => <AreaTexts area={area}>{children}</AreaTexts>;

export const AccountLayout = layoutOf("account");
export const CardLinksLayout = layoutOf("cardLinks");
export const CounterLayout = layoutOf("counter");
export const CustomerLayout = layoutOf("customer");
export const CustomersLayout = layoutOf("customers");
export const MovementsLayout = layoutOf("movements");
export const ReportsLayout = layoutOf("reports");
export const SettingsLayout = layoutOf("settings");
export const SignInLayout = layoutOf("signIn");
export const TillMovementsLayout = layoutOf("tillMovements");
export const TopupLayout = layoutOf("topup");
