import { expect, test, vi } from "vitest";
import { env } from "./index";

test("in production the error names every missing setting and shows no value", () => {
  for (const name of Object.keys(process.env))
    if (/^(APP|AUTH|DATABASE|S3|SMTP|RESEND)_/.test(name)) vi.stubEnv(name, "");
  vi.stubEnv("AUTH_SECRET", "far too short");
  const message = () => {
    try {
      env();
      return "";
    } catch (error) {
      return String(error);
    }
  };
  for (const name of ["DATABASE_URL", "AUTH_SECRET", "RESEND_API_KEY", "S3_BUCKET"])
    expect(message()).toContain(`  ${name}: `);
  expect(message()).not.toContain("far too short");
});
