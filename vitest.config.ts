import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Each of them takes ten seconds or more: begun last, it would run on while the other processes have nothing left.
const SLOW = [
  "scripts/backup/backup.test.ts",
  "lib/testing/trials/failover/failover.test.ts",
  "lib/api/contract/fuzz.test.ts",
  "lib/jobs/takeover.test.ts",
  "lib/api/contract/answers.test.ts",
  "lib/jobs/mail-lanes.test.ts",
  "prisma/seed/large.test.ts",
  "lib/ledger/differential.test.ts",
  "lib/ledger/lock-postings.test.ts",
  "lib/ledger/post-faults.test.ts",
  "scripts/lib/http-timeouts.test.ts",
];

/** Tests of the built program: each is a command, and most are a stage of npm test. */
const TRIALS = "lib/testing/trials/*.test.ts";

/** A file that npm test plays in another stage. Vitest's option --exclude does not reach a project. */
const LEFT_OUT = process.env.LEFT_OUT ? [process.env.LEFT_OUT] : [];

/** The slow test files first, also on a machine that has not run them before. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = SLOW.findIndex((path) => moduleId.endsWith(`/${path}`));
      return found < 0 ? SLOW.length : found;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  resolve: { alias: { "@": here(".") } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.ts", "**/*.test.tsx"],
          exclude: [
            TRIALS,
            ...LEFT_OUT,
            "**/node_modules/**",
            ".next*/**",
            ".data*/**",
            "e2e/**",
            "integrations/**",
          ],
          globalSetup: ["lib/testing/global-setup.ts"],
          setupFiles: ["lib/testing/setup.ts"],
          // These limits end what hangs. They measure nothing: passwords are hashed for real, and the machine may be busy.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: "trials",
          include: [TRIALS],
          setupFiles: ["lib/testing/trials/setup.ts"],
          // The long forms take hours.
          testTimeout: 86_400_000,
          hookTimeout: 86_400_000,
        },
      },
    ],
    // The program is loaded again for each file (setup.ts). A new process per file would load every package
    // again.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // A test waits for Postgres half of its time, so that two cores have work for two; each holds connections.
    maxWorkers: Math.min(6, Math.max(2, availableParallelism())),
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
