import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { hintAndCompress } from "./build";

test("scripts that share a source map get the hint each, and their map moves down once, in later builds too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wallet-build-"));
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const script = "a();\n\n//# sourceMappingURL=shared.js.map\n";
  const scripts = Array.from({ length: 12 }, (_, nth) => `${nth}.js`);
  try {
    // As long as a real one, so that it is not written in one go.
    const mappings = "AAAA;".repeat(400_000);
    writeFileSync(join(folder, "shared.js.map"), JSON.stringify({ version: 3, mappings }));
    for (const name of scripts) writeFileSync(join(folder, name), script);
    await hintAndCompress(folder);
    // The next build writes one script again, and leaves the map.
    writeFileSync(join(folder, "0.js"), script);
    await hintAndCompress(folder);
    for (const name of scripts) {
      expect(read(name)).toBe(`//# allFunctionsCalledOnLoad\n${script}`);
      expect(brotliDecompressSync(readFileSync(join(folder, `${name}.br`))).toString()).toBe(read(name));
    }
    expect(JSON.parse(read("shared.js.map")).mappings === `;${mappings}`).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
