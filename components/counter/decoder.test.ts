import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";

test("the served WebAssembly file equals the installed package's", () => {
  const here = createRequire(import.meta.url);
  const installed = createRequire(here.resolve("barcode-detector/ponyfill")).resolve(
    "zxing-wasm/reader/zxing_reader.wasm",
  );
  expect(readFileSync("public/scanner/zxing_reader.wasm").equals(readFileSync(installed))).toBe(true);
});
