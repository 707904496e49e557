import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: { alias: { "@": here(".") } },
  test: {
    include: ["**/*.test.ts", "**/*.test.tsx"],
    exclude: ["**/node_modules/**", ".next*/**", ".data*/**", "e2e/**"],
    globalSetup: ["lib/testing/global-setup.ts"],
    setupFiles: ["lib/testing/setup.ts"],
    // A test waits for Postgres half of its time, so that two cores have work for two; each holds connections.
    maxWorkers: Math.min(6, Math.max(2, availableParallelism())),
    // Passwords are hashed for real, and the machine may be busy.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
