import { afterAll } from "vitest";
import { endStarted } from "@/scripts/lib/command";

// What a trial starts has the settings of a command, without those that vitest adds.
for (const name of ["BASE_URL", "DEV", "MODE", "NODE_ENV", "PROD", "SSR", "TEST", "VITEST"]) {
  delete process.env[name];
}
// A trial starts servers as a command does; they end with its file.
afterAll(() => endStarted(0));
