import { expect, test } from "vitest";
import { isAppleSafari, parseCardCode } from "./card";

const ID = "0b1c8f5e-6a57-4a6b-9d2c-1f2e3d4c5b6a";

test.each([
  [ID, null, null],
  [` ${ID.toUpperCase()} `, null, null],
  [`https://wallet.example.qa/topup/${ID}`, null, null],
  [`http://192.168.1.7:3000/topup/${ID}?src=apple`, "apple", null],
  [`https://other.test/topup/${ID}?src=google`, "google", null],
  [`https://other.test/topup/${ID}?src=else&code=abc.def`, null, "abc.def"],
  [`/topup/${ID}?code=1`, null, "1"],
  [`https://wallet.example.qa/topup?customerId=${ID}`, null, null],
  [`https://wallet.example.qa/customer/loyalty-card/${ID}`, null, null],
])("%s identifies the card", (text, source, liveCode) => {
  expect(parseCardCode(text)).toEqual({ id: ID, source, liveCode });
});

test.each([
  "",
  "hello",
  "https://wallet.example.qa/",
  "https://wallet.example.qa/topup/",
  "https://wallet.example.qa/topup/1234",
  `https://wallet.example.qa/login/${ID}`,
  `javascript:alert(1)//topup/${ID}`,
  `WIFI:S:shop;T:WPA;P:${ID};;`,
])("%s identifies no card", (text) => {
  expect(parseCardCode(text)).toBeNull();
});

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
