import { afterEach, expect, test, vi } from "vitest";
import {
  clearPendingSignUp,
  readCustomerInfo,
  readPendingSignUp,
  readSentCode,
  saveCustomerInfo,
  savePendingSignUp,
  saveSentCode,
} from "./stored-data";

const PENDING = {
  sFullName: "Noor Al-Kuwari",
  sEmail: "noor@example.com",
  sPhoneNumber: "+97455512345",
  dDateOfBirth: "1994-05-04",
  iMerchantId: "m",
  bConsent: true,
};

/** As a browser that blocks all cookies: to read the property throws. */
function refuse(name: string): void {
  const own = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get() {
      throw new DOMException("The operation is insecure.", "SecurityError");
    },
  });
  undo.push(() => {
    if (own) Object.defineProperty(globalThis, name, own);
    else Reflect.deleteProperty(globalThis, name);
  });
}
const undo: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllGlobals();
  for (const restore of undo.splice(0)) restore();
});

test("in a browser that refuses storage, the page has the sign-up until the card is there", () => {
  refuse("localStorage");
  refuse("sessionStorage");
  savePendingSignUp(PENDING);
  saveSentCode(PENDING.sEmail, { at: 5, wrong: 1 });
  const pending = readPendingSignUp();
  expect(pending).toEqual(PENDING);
  expect(readSentCode(PENDING.sEmail)).toEqual({ at: 5, wrong: 1 });
  expect(readSentCode("other@example.com")).toBeNull();

  saveCustomerInfo({ customerId: "c", customerData: pending, isNewRegistration: true });
  clearPendingSignUp(pending ?? undefined);
  expect(readPendingSignUp()).toBeNull();
  expect(readCustomerInfo()).toEqual({ customerId: "c", customerData: PENDING, isNewRegistration: true });
});

test("what a full storage refused gives way to what it takes later, and to another tab's removal of that", () => {
  const stored = new Map<string, string>();
  let full = true;
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => {
      if (full) throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      stored.set(name, value);
    },
    removeItem: (name: string) => void stored.delete(name),
  });
  savePendingSignUp(PENDING);
  expect(readPendingSignUp()?.sFullName).toBe("Noor Al-Kuwari");
  full = false;
  savePendingSignUp({ ...PENDING, sFullName: "Noor" });
  expect(readPendingSignUp()?.sFullName).toBe("Noor");
  expect(JSON.parse(stored.get("customerData") ?? "")).toMatchObject({
    email: PENDING.sEmail,
    merchantId: "m",
  });
  stored.clear();
  expect(readPendingSignUp()).toBeNull();
});
