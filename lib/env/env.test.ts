import { randomBytes } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { isGuessable } from "@/lib/env";

const NAMES = /^(APP|AUTH|DATABASE|S3|SMTP|RESEND|MEDIA|TRUSTED)_/;

/** What the program says at its start with exactly these settings; "" when it starts. */
async function refusal(settings: Record<string, string>): Promise<string> {
  for (const name of Object.keys(process.env))
    if (NAMES.test(name) || name === "WORKER") vi.stubEnv(name, "");
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const { env } = await import("./index");
  try {
    env();
    return "";
  } catch (error) {
    return String(error);
  }
}

const COMPLETE = {
  APP_URL: "https://wallet.example",
  DATABASE_URL: "postgresql://wallet@localhost/wallet",
  AUTH_SECRET: randomBytes(36).toString("base64"),
  TRUSTED_PROXIES: "0",
  SMTP_URL: "smtp://localhost",
  S3_BUCKET: "wallet",
  S3_ENDPOINT: "https://s3.example",
};

beforeEach(() => {
  vi.resetModules();
  vi.unstubAllEnvs();
});

test("in production the error names every missing setting and shows no value", async () => {
  const message = await refusal({ AUTH_SECRET: "far too short" });
  for (const name of ["DATABASE_URL", "AUTH_SECRET", "RESEND_API_KEY", "S3_BUCKET", "TRUSTED_PROXIES"])
    expect(message).toContain(`  ${name}: `);
  expect(message).not.toContain("far too short");
});

test("production starts with complete settings, and a secret of 32 hexadecimal digits is enough", async () => {
  expect(await refusal(COMPLETE)).toBe("");
  vi.resetModules();
  const digits = { ...COMPLETE, AUTH_SECRET: "0f9d1c7ab34e56820d6f18c2957be3a4" };
  expect(await refusal(digits)).toBe("");
  vi.resetModules();
  const { S3_ENDPOINT: _, ...amazon } = COMPLETE;
  expect(await refusal({ ...amazon, S3_REGION: "me-south-1" })).toBe("");
});

test("one refusal names every wrong setting of production", async () => {
  const message = await refusal({
    ...COMPLETE,
    APP_URL: "http://wallet.example",
    AUTH_SECRET: "a".repeat(64),
    TRUSTED_PROXIES: "",
    S3_ENDPOINT: "https://*.example",
    MEDIA_BASE_URL: "https://*.cdn.example",
  });
  const named = message.split("\n").flatMap((line) => /^ {2}(\w+): /.exec(line)?.[1] ?? []);
  expect(named.sort()).toEqual([
    "APP_URL",
    "AUTH_SECRET",
    "MEDIA_BASE_URL",
    "S3_ENDPOINT",
    "TRUSTED_PROXIES",
  ]);
});

test.each([
  ["one character", "a".repeat(48)],
  ["a repeated word", "secret".repeat(10)],
  ["two characters in turn", "01".repeat(40)],
  ["a short sentence in long rows", `${"change".repeat(7)}me`],
  ["a few words", "correct horse battery staple correct horse battery"],
  ["the words of an example", "change-me-to-a-long-random-secret-please"],
  ["the alphabet", "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
  ["the rows of a keyboard", "qwertyuiopasdfghjklzxcvbnm1234567890"],
])("production refuses a secret of %s", async (_what, AUTH_SECRET) => {
  expect(await refusal({ ...COMPLETE, AUTH_SECRET })).toContain("  AUTH_SECRET: ");
});

test.each([
  ["APP_URL", "https://wallet.example/shop"],
  ["APP_URL", "https://owner:secret@wallet.example"],
  ["APP_URL", "https://wallet.example?from=mail"],
  ["TRUSTED_PROXIES", "99"],
])("production refuses %s of %s", async (name, value) => {
  expect(await refusal({ ...COMPLETE, [name]: value })).toContain(`  ${name}: `);
});

test("production takes an address with a port, or with a slash at its end", async () => {
  for (const APP_URL of [
    "https://Wallet.example",
    "https://wallet.example:8443",
    "https://wallet.example/",
  ]) {
    vi.resetModules();
    expect(await refusal({ ...COMPLETE, APP_URL })).toBe("");
  }
});

test("production takes what was made at random, in whatever alphabet", async () => {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (let n = 0; n < 200; n++) {
    const bytes = randomBytes(32);
    for (const secret of [
      bytes.toString("hex"),
      bytes.toString("base64"),
      [...bytes].map((byte) => letters[byte % letters.length]).join(""),
    ])
      expect(isGuessable(secret), secret).toBe(false);
  }
  // Base64 without a digit.
  expect(isGuessable("HTaYDf+iMkRpyozFRQ+GbQj/MsGvyCEdsq/bvFFzZjg=")).toBe(false);
});

test("without an exact address the storage of production is refused, and so is one secret twice", async () => {
  const { S3_ENDPOINT: _, ...nowhere } = COMPLETE;
  expect(await refusal(nowhere)).toContain("  S3_ENDPOINT: ");
  vi.resetModules();
  const same = { ...COMPLETE, AUTH_SECRET_PREVIOUS: COMPLETE.AUTH_SECRET };
  expect(await refusal(same)).toContain("  AUTH_SECRET_PREVIOUS: ");
});

test("behind a pooler in transaction mode the worker needs the database's own address", async () => {
  const pooled = { ...COMPLETE, DATABASE_POOLER: "transaction" };
  expect(await refusal(pooled)).toContain("  DATABASE_DIRECT_URL: ");
  vi.resetModules();
  expect(await refusal({ ...pooled, WORKER: "off" })).toBe("");
  vi.resetModules();
  expect(await refusal({ ...pooled, DATABASE_DIRECT_URL: COMPLETE.DATABASE_URL })).toBe("");
});

test("demo, development and test need none of it", async () => {
  const { DATABASE_URL } = COMPLETE;
  expect(await refusal({ APP_ENV: "demo", DATABASE_URL, AUTH_SECRET: "a".repeat(32) })).toBe("");
});
