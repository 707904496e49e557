import { defineConfig } from "@playwright/test";

const root = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  // Passwords are hashed for real, and the machine may be small and busy.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  use: {
    baseURL: process.env.APP_URL,
    // Without its film, which is drawn for every test and kept for none that passes.
    trace: { mode: "retain-on-failure", screenshots: false },
    screenshot: "only-on-failure",
    locale: "en-GB",
    timezoneId: "Asia/Qatar",
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
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
