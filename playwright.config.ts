import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";

const root = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  // These limits end what hangs: passwords are hashed for real, and the machine may be small and busy.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // A journey that waits, for an e-mail or a job, leaves its core to another.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A second try would hide a journey that fails by chance.
  retries: 0,
  use: {
    baseURL: process.env.APP_URL,
    // An action that is not possible fails with its name, long before its journey hangs.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // A trace of every journey costs three percent of their time. A failure leaves a screenshot and the text of its pages.
    trace: "off",
    screenshot: "only-on-failure",
    // Every frame of an animation is drawn by the processor. story.spec.ts and the live code have theirs.
    contextOptions: { reducedMotion: "reduce" },
    locale: "en-GB",
    timezoneId: "Asia/Qatar",
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: fileURLToPath(new URL("e2e/support/chromium.sh", import.meta.url)),
      args: [
        ...(root ? ["--no-sandbox"] : []),
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--no-first-run",
      ],
    },
  },
});
