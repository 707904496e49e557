import { type Env, env } from "./index";

/** The settings, at a server's start: one that is missing or wrong is named, and the process ends at once. */
export function requiredEnv(): Env {
  try {
    return env();
  } catch (error) {
    // Next would log it and answer every request with an error instead.
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
