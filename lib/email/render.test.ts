import { describe, expect, test } from "vitest";
import { LOCALES } from "@/lib/domain/roles";
import { renderEmail, TEMPLATES, type TemplateName, type TemplateParams } from "./render";

const MERCHANT = '<script>alert("x")</script> & Sons';
const at = new Date("2026-03-01T21:30:00Z");
const code = { merchant: MERCHANT, code: "048213", minutes: 5, points: 80 };
const link = "https://wallet.example/x?a=1&b=2";

const configChange = {
  allowance: false,
  name: "Noor",
  merchant: MERCHANT,
  withdrawal: true,
  needsApproval: true,
  effectiveAt: at,
  url: link,
  before: { dirhamsPerPoint: 100, undoMinutes: 15 },
  after: { dirhamsPerPoint: 150, undoMinutes: 5 },
};

const pinLocked = { name: "Noor", till: "Till 1", branch: "The Pearl", at, url: link };
const apiKey = { name: "Noor", key: "Web shop", prefix: "wk_live_7Qm2", at, url: link };
const samples: TemplateParams = {
  code_register: code,
  code_card_holder: code,
  code_redeem: code,
  code_unfreeze: code,
  code_erase: code,
  code_change_email: code,
  code_leave_email: { ...code, email: "ne•••@example.com" },
  code_staff_email: code,
  code_staff_leave: { ...code, email: "ne•••@example.com" },
  staff_email_changed: { name: "Noor", email: "ne•••@example.com", at },
  password_reset: { name: "Noor", url: link, minutes: 30 },
  worker_invite: { name: "Ravi", merchant: MERCHANT, url: link, days: 7 },
  new_device: { name: "Noor", device: "Safari · iPhone", address: "203.0.113.7", at, url: link },
  password_changed: { name: "Noor", at, url: link },
  pin_set: { name: "Ravi", at, url: link },
  pin_removed: { name: "Ravi", at, url: link },
  tries_used_up: { name: "Noor", what: "factor", at, address: "203.0.113.7", url: link },
  second_factor_changed: { name: "Noor", change: "added", factor: "Noor's phone", at },
  admin_invite: { name: "Noor", url: link, days: 7 },
  confirm_mailbox: { url: link },
  profile_decided: {
    name: "Noor",
    merchant: MERCHANT,
    decision: "rejected",
    reason: "Not <yours>",
    url: link,
  },
  merchant_received: { name: "Noor", merchant: MERCHANT, url: link },
  merchant_approved: {
    name: "Noor",
    merchant: MERCHANT,
    loginUrl: link,
    signupUrl: "https://wallet.example/s/1",
  },
  merchant_suspended: { name: "Noor", merchant: MERCHANT, reason: "No <trade> licence" },
  merchant_reinstated: { name: "Noor", merchant: MERCHANT, loginUrl: "https://wallet.example/login" },
  merchant_rejected: { name: "Noor", merchant: MERCHANT, reason: "No <trade> licence" },
  receipt: {
    merchant: MERCHANT,
    name: "Layla",
    kind: "TOP_UP",
    points: 1250,
    balance: 3500,
    rate: 100,
    balanceRate: 100,
    paid: 10,
    bonus: 0,
    tender: null,
    saleRef: null,
    branch: "The Pearl",
    at,
    reference: "K7M2QD-14",
    notMeUrl: link,
    cardUrl: "https://wallet.example/customer/loyalty-card/1",
  },
  ledger_day: {
    name: "Noor",
    merchant: MERCHANT,
    at,
    sealed: 12,
    total: 1250,
    head: "0f".repeat(32),
    url: link,
  },
  many_openings: { name: "Noor", merchant: MERCHANT, person: "Ravi Haddad", openings: 75, at, url: link },
  config_asked: configChange,
  config_cancelled: configChange,
  config_applied: {
    ...configChange,
    allowance: true,
    after: { redeemAllowance: 100 },
    before: { redeemAllowance: 50 },
  },
  card_frozen: { name: "Noor", merchant: MERCHANT, customer: "Layla", at, url: link },
  email_changed: { name: "Layla", merchant: MERCHANT, email: "la•••@example.com", at, notMeUrl: link },
  email_change_asked: {
    name: "Layla",
    merchant: MERCHANT,
    email: "ne•••@example.com",
    by: "staff",
    at,
    stopUrl: link,
    reason: "Lost <phone>",
  },
  card_device: { name: "Layla", merchant: MERCHANT, device: "Safari · iPhone", at, endUrl: link },
  my_cards: { cards: [{ merchant: MERCHANT, url: link }], minutes: 30 },
  unfreeze_asked: { name: "Noor", merchant: MERCHANT, customer: "Layla", url: link },
  worker_pin_locked: { ...pinLocked, worker: "Ravi Haddad" },
  till_pins_locked: pinLocked,
  drawer_difference: {
    name: "Noor",
    worker: "Ravi Haddad",
    till: "Till 1",
    branch: "The Pearl",
    report: 12,
    tender: "card",
    expected: 125_000,
    counted: 124_000,
    at,
    url: link,
  },
  api_key_changed: { ...apiKey, change: "rotated", person: "Noor Al Thani" },
  api_key_refused: { ...apiKey, address: "203.0.113.7" },
  api_key_leaked: {
    ...apiKey,
    requests: 12,
    movements: [{ type: "TOP_UP", count: 2, points: 300 }],
  },
  webhook_changed: {
    name: "Noor",
    host: "shop.example",
    change: "created",
    person: "",
    key: "Website",
    at,
    url: link,
  },
  webhook_fails: { name: "Noor", host: "shop.example", change: "third", at, url: link },
  card_welcome: { name: "Layla", merchant: MERCHANT, url: link },
};

const names = Object.keys(TEMPLATES) as TemplateName[];
const plainOf = (html: string) =>
  html
    .replace(/<a href="([^"]*)"/g, "$1 $&")
    .replace(/<[^>]+>/g, " ")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");

/** Parameters that choose a text, and are not shown themselves. */
const CHOICES = new Set(["kind", "change", "by", "decision", "tender", "what"]);

/** The texts of the parameters, which the e-mail must contain. Dates and numbers are formatted, so they are left out. */
function facts(name: TemplateName): string[] {
  return Object.entries(samples[name])
    .filter(([key, value]) => typeof value === "string" && !CHOICES.has(key))
    .map(([, value]) => String(value));
}

describe.each(LOCALES)("e-mails in %s", (locale) => {
  test.each(names)("%s contains every parameter, as text and as escaped HTML", (name) => {
    const mail = renderEmail(name, samples[name], locale);
    for (const part of [mail.subject, mail.text, plainOf(mail.html)]) {
      expect(part).not.toMatch(/email\.\w|\{|\}|undefined|NaN|\[object/);
    }
    // A subject stands on locked screens, and in the table after the text is removed.
    expect(mail.subject).not.toMatch(/\d{6}|https?:/);
    for (const fact of facts(name)) {
      expect(mail.text).toContain(fact);
      expect(plainOf(mail.html)).toContain(fact);
    }
    expect(mail.html).not.toContain("<script");
    expect(mail.html).not.toContain("<trade>");
    const spoken = locale === "ar" ? 'lang="ar" dir="rtl"' : 'lang="en" dir="ltr"';
    expect(mail.html).toContain(`<html ${spoken}>`);
    // Mail programs on the web show what is inside the body only.
    expect(mail.html).toMatch(new RegExp(`<body[^>]*>\\s*<div ${spoken}`));
    if (locale === "ar") expect(mail.text).toMatch(/[\u0621-\u064a]/);
  });
});

// It ends an attribute, a text and a script.
const MARK = `x"'></script><mark-of-a-stranger onx=1>`;

/** The same parameters, with a stranger's markup in every text that a person wrote. */
const marked = (value: unknown, key = ""): unknown => {
  if (Array.isArray(value)) return value.map((one) => marked(one));
  if (value instanceof Date || (typeof value === "string" && (CHOICES.has(key) || /^https?:/.test(value))))
    return value;
  if (typeof value === "string") return value + MARK;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, marked(one, name)]));
};

test.each(names)("no text of a person is markup in %s", (name) => {
  const { html } = renderEmail(name, marked(samples[name]) as TemplateParams[typeof name], "en");
  expect(html).not.toContain("<mark-of-a-stranger");
});

test("a receipt shows amount, value, balance, the time in Doha and the number", () => {
  const { text, subject } = renderEmail("receipt", samples.receipt, "en");
  expect(subject).toBe(`1,250 points added at ${MERCHANT}`);
  expect(text).toContain("Top-up: +QAR 1,250.00");
  expect(text).toContain("Amount: QAR 1,250.00 · 1,250 pts");
  expect(text).toContain("Current Balance: QAR 3,500.00 · 3,500 pts");
  expect(text).toContain("2 Mar 2026, 00:30");
  expect(text).toContain("Receipt number: K7M2QD-14");
});

const LOOK = {
  sender: MERCHANT,
  colour: "#0f5257",
  note: "https://wallet.test/card/note/1?plain=1&v=2",
  logo: undefined,
};

test("the button of a receipt opens the card, and the way to freeze it is a link", () => {
  const { html } = renderEmail("receipt", samples.receipt, "en", LOOK);
  expect(html).toMatch(/<a href="[^"]*loyalty-card\/1"[^>]*background:#0f5257[^>]*>Open your card</);
  expect(html).toMatch(/<a href="[^"]*"[^>]*text-decoration:underline">This wasn&#39;t me</);
  const { cardUrl: _, ...queuedBefore } = samples.receipt;
  expect(renderEmail("receipt", queuedBefore, "en").html).not.toContain("Open your card");
});

test("an e-mail of a shop begins with its note and its name, and any other is blue", () => {
  const own = renderEmail("receipt", samples.receipt, "en", LOOK).html;
  expect(own).toContain("background:#0f5257");
  expect(own).toMatch(
    /<td bgcolor="#0f5257" background="https:\/\/wallet\.test\/card\/note\/1\?plain=1&amp;v=2"/,
  );
  const named = renderEmail("receipt", samples.receipt, "en", {
    ...LOOK,
    sender: "<Karak>",
    logo: "https://wallet.test/l.png",
  });
  expect(named.html).toContain('<img src="https://wallet.test/l.png" alt=""');
  expect(named.html).toContain("&lt;Karak&gt;");
  expect(named.text).toMatch(/\n-- \n\n<Karak>\n.* · Loyalty Wallet\n$/);
  expect(own).not.toContain("#1d4ed8");
  expect(renderEmail("receipt", samples.receipt, "en").html).toContain("#1d4ed8");
});

test("a redemption shows its sign", () => {
  const { text, subject } = renderEmail("receipt", { ...samples.receipt, kind: "REDEEM", points: -20 }, "ar");
  expect(subject).toContain("استبدال 20 نقطة");
  expect(text).toContain("\u2066−20.00\u2069 ر.ق");
});

test("an Arabic subject has no marks of direction, the text isolates the merchant's name", () => {
  const mail = renderEmail("code_register", { ...code, merchant: "Karak W.L.L." }, "ar");
  expect(mail.subject).not.toMatch(/[\u2066-\u2069]/);
  expect(mail.text).toContain("\u2068Karak W.L.L.\u2069");
  const turned = renderEmail("code_register", { ...code, merchant: "\u202eKarak" }, "en");
  expect(turned.subject).toBe("Your Karak verification code");
});

test("a name cannot add a line to the subject", () => {
  const mail = renderEmail("code_register", { ...code, merchant: "A\r\nBcc: x@y.z" }, "en");
  expect(mail.subject).toBe("Your A Bcc: x@y.z verification code");
});

test("a value that reads from left to right keeps its direction in the text of an Arabic e-mail", () => {
  const refused = { name: "Noor", merchant: "Oryx", reason: "No. 12 is missing." };
  expect(renderEmail("merchant_rejected", refused, "ar").text).toContain(": \u2068No. 12 is missing.\u2069");
  expect(renderEmail("merchant_rejected", refused, "en").text).toContain("Reason: No. 12 is missing.");
});
