import { expect, test } from "vitest";
import { type Activity, AUDIT_ACTIONS } from "@/lib/activity/model";
import { LOCALES } from "@/lib/domain/roles";
import { changeSettingsSchema } from "@/lib/merchants/model/merchant-settings";
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

test("who issued a pairing code, proved a mailbox or renamed a second factor is said in both languages", () => {
  const sentences = (["till.code", "profile.mailbox", "factor.renamed"] as const).map((action) =>
    LOCALES.map((locale) => activityText(locale, at(action, null)).replaceAll(/[\u2068\u2069]/g, "")),
  );
  expect(sentences).toEqual([
    [
      "Sara Ahmed made a new pairing code for till Front till.",
      "Sara Ahmed: إنشاء رمز اقتران جديد (جهاز الصندوق Front till).",
    ],
    [
      "Sara Ahmed confirmed the email of till Front till.",
      "Sara Ahmed: تأكيد البريد الإلكتروني (جهاز الصندوق Front till).",
    ],
    [
      "Sara Ahmed renamed a second sign-in step of till Front till.",
      "Sara Ahmed: تغيير اسم خطوة تحقق ثانية (جهاز الصندوق Front till).",
    ],
  ]);
});

test("how a kept top-up was resolved is said with its reason, if the log has it", () => {
  for (const action of ["entry.post", "entry.move", "entry.write_off"] as const) {
    for (const locale of LOCALES) {
      expect(activityText(locale, at(action, { entry: "4", points: 5 }))).toMatch(/\.$/);
      expect(activityText(locale, at(action, { reason: "Paid back" }))).toMatch(/: \u2068?Paid back\u2069?$/);
    }
  }
});

test("a till that was renamed is described with its names", () => {
  const renamed = { ...at("till.changed", { name: "Back till" }), before: { name: "Front till" } };
  expect(activityText("en", renamed).replaceAll(/[\u2068\u2069]/g, "")).toBe(
    "Sara Ahmed changed the name for till Front till from Front till to Back till.",
  );
});

test("a till that went to another branch has no home branch", () => {
  const moved = { ...at("till.changed", { branchId: "5" }), before: { branchId: "4" } };
  expect(activityText("en", moved).replaceAll(/[\u2068\u2069]/g, "")).toBe(
    "Sara Ahmed changed the branch for till Front till.",
  );
});

test("each setting of a merchant has a name in both languages", () => {
  for (const field of Object.keys(changeSettingsSchema.omit({ id: true }).shape)) {
    const changed = { ...at("merchant.settings", { [field]: 2 }), before: { [field]: 1 } };
    for (const locale of LOCALES) expect(activityText(locale, changed)).not.toContain(`\u2068${field}\u2069`);
  }
});

test("a till's day is described with its numbers", () => {
  const sentence = (action: Activity["action"], after: Activity["after"]) =>
    activityText("en", at(action, after)).replaceAll(/[\u2068\u2069]/g, "");
  expect(sentence("shift.closed", { number: 7 })).toBe(
    "Sara Ahmed closed shift report 7 of till Front till.",
  );
  expect(sentence("shift.pay_out", { dirhams: 1_550, reason: "Milk" })).toBe(
    "Sara Ahmed paid QAR 15.50 out of the drawer of till Front till: Milk",
  );
  expect(sentence("till.pin_locked", { worker: "Omar Nasser", here: false })).toBe(
    "Five wrong PINs locked the PIN of Omar Nasser on till Front till.",
  );
  expect(sentence("till.pin_locked", { worker: "Omar Nasser", here: true })).toBe(
    "Too many wrong PINs locked PIN sign-in on till Front till.",
  );
});

test("a change of a setting in dirhams is described in riyals", () => {
  const changed = {
    ...at("merchant.settings", { drawerTolerance: 750 }),
    entity: "merchant" as const,
    before: { drawerTolerance: 500 },
  };
  expect(activityText("en", changed).replaceAll(/[\u2066-\u2069]/g, "")).toContain(
    "from QAR 5.00 to QAR 7.50",
  );
});

test("lists, codes and missing limits are described in words of the reader's language", () => {
  const sentences = (before: object, after: object) =>
    LOCALES.map((locale) =>
      activityText(locale, {
        ...at("merchant.settings", { ...after }),
        before: { ...before },
        entity: "merchant",
        entityName: "Karak",
      }).replaceAll(/[\u2068\u2069]/g, ""),
    );
  expect(sentences({ tenders: ["cash"] }, { tenders: ["cash", "bank"] })).toEqual([
    "Sara Ahmed changed the payment methods for merchant Karak from Cash to Cash, Bank transfer.",
    "Sara Ahmed: تغيير طرق الدفع المقبولة (المتجر Karak) من نقدًا إلى نقدًا، تحويل مصرفي.",
  ]);
  const english = (field: string, from: unknown, to: unknown) =>
    sentences({ [field]: from }, { [field]: to })[0]?.split("Karak ")[1];
  expect(english("scopes", ["topup"], ["topup", "movements.read"])).toBe(
    "from Top up to Top up, Read the transaction log and receipts.",
  );
  expect(english("addresses", [], ["203.0.113.0/24", "198.51.100.7"])).toBe(
    "from all to 203.0.113.0/24, 198.51.100.7.",
  );
  expect(english("workerDailyCap", null, 500)).toBe("from no limit to 500.");
  expect(english("maxPointsDay", null, 500)).toBe("from 20000 to 500.");
  expect(english("maxHoldSeconds", 60, null)).toBe("from 60 to 900.");
  expect(english("role", "admin", "super_admin")).toBe("from Administrator to System Administrator.");
  expect(english("spendOrder", "bonus_first", "paid_first")).toBe(
    "from Bonus points first to Paid points first.",
  );
  expect(english("dateOfBirth", "1994-03-21", "1994-03-12")).toBe("from 21/03/1994 to 12/03/1994.");
});

test("a reservation is described with its points", () => {
  const opened = {
    ...at("hold.opened", { hold: "4", points: 40 }),
    entity: "customer" as const,
    entityName: "Layla",
  };
  const plain = (locale: (typeof LOCALES)[number], of: Activity) =>
    activityText(locale, of).replaceAll(/[\u2068\u2069]/g, "");
  expect(plain("en", opened)).toBe("Sara Ahmed reserved 40 points of customer Layla.");
  expect(plain("ar", opened)).toContain("40 نقطة");
});
