import { expect, test } from "vitest";
import { isAppleSafari } from "./safari";

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  ["Safari on an iPhone", `${iphone} Version/18.1 Mobile/15E148 Safari/604.1`, true],
  ["Safari on a Mac", `${mac} Version/18.1 Safari/605.1.15`, true],
  ["Chrome on an iPhone", `${iphone} CriOS/130.0.0.0 Mobile/15E148 Safari/604.1`, false],
  ["Firefox on an iPhone", `${iphone} FxiOS/130.0 Mobile/15E148 Safari/605.1.15`, false],
  ["Chrome on a Mac", `${mac.replace("605.1.15", "537.36")} Chrome/130.0.0.0 Safari/537.36`, false],
  [
    "Chrome on Android",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36",
    false,
  ],
])("%s", (_name, userAgent, expected) => {
  expect(isAppleSafari(userAgent)).toBe(expected);
});
