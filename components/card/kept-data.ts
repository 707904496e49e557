/** The names under which a sign-up and its card are kept in local storage. */
const PENDING_KEY = "customerData";
export const INFO_KEY = "customerInfo";
const SENT_KEY = "customerCodeSentAt";

/** The sign-up that waits for its code, as the browser keeps it. */
export type PendingSignUp = {
  sFullName: string;
  sEmail: string;
  sPhoneNumber: string;
  dDateOfBirth: string;
  iMerchantId: string;
  bConsent?: boolean;
  /** Other names that are read as well. */
  email?: string;
  merchantId?: string;
};

export type CustomerInfo = { customerId: string; customerData: unknown; isNewRegistration: boolean };

function read(key: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The waiting sign-up, or null when there is none. */
export function readPending(): PendingSignUp | null {
  const data = read(PENDING_KEY);
  if (!data) return null;
  return {
    sFullName: text(data.sFullName),
    sEmail: text(data.sEmail) || text(data.email),
    sPhoneNumber: text(data.sPhoneNumber),
    dDateOfBirth: text(data.dDateOfBirth),
    iMerchantId: text(data.iMerchantId) || text(data.merchantId),
    bConsent: data.bConsent === true,
  };
}

/** Keeps the waiting sign-up, its e-mail and merchant under both of their names. */
export function keepPending(data: PendingSignUp): void {
  const kept: PendingSignUp = { ...data, email: data.sEmail, merchantId: data.iMerchantId };
  localStorage.setItem(PENDING_KEY, JSON.stringify(kept));
}

export function clearPending(): void {
  localStorage.removeItem(PENDING_KEY);
}

/** The card of the last registration in this browser, or null. */
export function readInfo(): CustomerInfo | null {
  const data = read(INFO_KEY);
  const customerId = text(data?.customerId);
  if (!data || customerId === "") return null;
  return { customerId, customerData: data.customerData, isNewRegistration: data.isNewRegistration === true };
}

export function keepInfo(info: CustomerInfo): void {
  localStorage.setItem(INFO_KEY, JSON.stringify(info));
}

/** Remembers when this tab's code was sent, so that a reload neither sends again nor starts the countdown anew. */
export function keepSentAt(email: string, at: number): void {
  sessionStorage.setItem(SENT_KEY, JSON.stringify({ email, at }));
}

/** When this tab's code for the e-mail was sent (milliseconds), or null. */
export function readSentAt(email: string): number | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(SENT_KEY) ?? "null");
    const found = kept as { email?: unknown; at?: unknown } | null;
    return found?.email === email && typeof found.at === "number" ? found.at : null;
  } catch {
    return null;
  }
}
