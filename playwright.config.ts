import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";

const root = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  // Passwords are hashed for real, and the machine may be small and busy.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // A journey that waits, for a mail or for the job of each minute, leaves its core to another.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // Where a machine shared with others decides over a whole submission, a failed journey is played once more. The report
  // names it as flaky, and it is mended all the same.
  retries: process.env.CI ? 1 : 0,
  use: {
    baseURL: process.env.APP_URL,
    // What was done, asked and logged. Its film and its copies of the page are made for every test and kept for none that
    // passes; a failure has its picture, and `--trace on` makes the rest.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
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
