import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/** A new folder that is removed at the end of the run. Answers its path. */
export const testFolder = (name: string): string =>
  mkdtempSync(join(inject("testServer").dataDir, `${name}-`));
