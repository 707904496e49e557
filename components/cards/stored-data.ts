import { readStored } from "@/components/accounts/session/stored-session";

const PENDING_SIGN_UP_KEY = "customerData";
const CUSTOMER_INFO_KEY = "customerInfo";
const SENT_CODE_KEY = "customerCodeSentAt";

export type PendingSignUp = {
  sFullName: string;
  sEmail: string;
  sPhoneNumber: string;
  dDateOfBirth: string;
  iMerchantId: string;
  bConsent?: boolean;
  /** Alternative names of sEmail and iMerchantId. */
  email?: string;
  merchantId?: string;
};

export type CustomerInfo = { customerId: string; customerData: unknown; isNewRegistration: boolean };

type StorageName = "localStorage" | "sessionStorage";

/** Data that the browser did not store. This page has it, and forgets it when it is loaded again. */
const unstored = new Map<string, unknown>();

const read = (key: string, storage: StorageName = "localStorage") =>
  (unstored.get(key) as Record<string, unknown> | undefined) ??
  readStored<Record<string, unknown>>(storage, key);

function write(key: string, value: unknown, storage: StorageName = "localStorage"): void {
  try {
    globalThis[storage].setItem(key, JSON.stringify(value));
    unstored.delete(key);
  } catch {
    unstored.set(key, value);
  }
}

function remove(key: string): void {
  unstored.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The pending sign-up, or null. */
export function readPendingSignUp(): PendingSignUp | null {
  const data = read(PENDING_SIGN_UP_KEY);
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

/** Stores the pending sign-up, with e-mail and merchant under both of their names. */
export function savePendingSignUp(data: PendingSignUp): void {
  write(PENDING_SIGN_UP_KEY, { ...data, email: data.sEmail, merchantId: data.iMerchantId });
}

/** Removes the pending sign-up; with `own`, only if it is still that one and not another tab's. */
export function clearPendingSignUp(own?: PendingSignUp): void {
  if (own && JSON.stringify(readPendingSignUp()) !== JSON.stringify(own)) return;
  remove(PENDING_SIGN_UP_KEY);
}

/** The card of the last registration in this browser, or null. */
export function readCustomerInfo(): CustomerInfo | null {
  const data = read(CUSTOMER_INFO_KEY);
  const customerId = text(data?.customerId);
  if (!data || customerId === "") return null;
  return { customerId, customerData: data.customerData, isNewRegistration: data.isNewRegistration === true };
}

export function saveCustomerInfo(info: CustomerInfo): void {
  write(CUSTOMER_INFO_KEY, info);
}

/** Forgets the card of the last registration if it is this one. */
export function clearCustomerInfo(customerId: string): void {
  if (readCustomerInfo()?.customerId.toLowerCase() === customerId) remove(CUSTOMER_INFO_KEY);
}

/** A code that was sent for a sign-up: when (milliseconds since 1970), and how many wrong ones were entered since. */
export type SentCode = { at: number; wrong: number };

/** Stores this tab's code for the e-mail: a reload sends no other one, and knows its time and the wrong guesses. */
export function saveSentCode(email: string, { at, wrong }: SentCode): void {
  write(SENT_CODE_KEY, { email, at, wrong }, "sessionStorage");
}

/** This tab's code for the e-mail, or null. */
export function readSentCode(email: string): SentCode | null {
  const found = read(SENT_CODE_KEY, "sessionStorage");
  if (found?.email !== email || typeof found.at !== "number") return null;
  return { at: found.at, wrong: typeof found.wrong === "number" ? found.wrong : 0 };
}

// Only in this page's memory: on a shared phone, the next person who opens the link must not find them.
let left: PendingSignUp | null = null;

/** Keeps the details for the user's way back to the form, which opens next. */
export function keepForForm(details: PendingSignUp): void {
  left = details;
}

/** Answers the details that were kept for this merchant's form, and removes them. */
export function takeForForm(merchantId: string): PendingSignUp | null {
  const details = left;
  left = null;
  return details?.iMerchantId === merchantId ? details : null;
}
