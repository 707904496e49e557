import { expect, test } from "vitest";
import { type Activity, AUDIT_ACTIONS } from "@/lib/domain/activity";
import { LOCALES } from "@/lib/domain/roles";
import { activityText } from "./activity";

const at = (action: Activity["action"], after: Activity["after"]): Activity => ({
  id: "1",
  createdAt: new Date(),
  action,
  actor: { type: "user", id: "2", name: "Sara Ahmed" },
  merchant: null,
  entity: "till",
  entityId: "3",
  entityName: "Front till",
  entityNameAr: null,
  before: null,
  after,
  address: null,
  device: null,
});

test("no sentence asks for a value that it does not get", () => {
  for (const locale of LOCALES) {
    for (const action of AUDIT_ACTIONS)
      expect(activityText(locale, at(action, { reason: "r" }))).not.toMatch(/undefined|activity\.did/);
  }
});

test("a till's day is described with its numbers", () => {
  const sentence = (action: Activity["action"], after: Activity["after"]) =>
    activityText("en", at(action, after)).replaceAll(/[\u2068\u2069]/g, "");
  expect(sentence("shift.closed", { number: 7 })).toBe(
    "Sara Ahmed closed shift report 7 of the till Front till.",
  );
  expect(sentence("shift.pay_out", { dirhams: 1_550, reason: "Milk" })).toBe(
    "Sara Ahmed paid QAR 15.50 out of the drawer of the till Front till: Milk",
  );
  expect(sentence("till.pin_locked", { worker: "Omar Nasser", here: false })).toBe(
    "Five wrong PINs locked the PIN of Omar Nasser on the till Front till.",
  );
  expect(sentence("till.pin_locked", { worker: "Omar Nasser", here: true })).toBe(
    "Too many wrong PINs locked PIN sign-in on the till Front till.",
  );
});
