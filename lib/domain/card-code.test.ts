import { expect, test } from "vitest";
import { readCardCode } from "./card-code";

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
])("%s names the card", (text, source, liveCode) => {
  expect(readCardCode(text)).toEqual({ id: ID, source, liveCode });
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
])("%s names none", (text) => {
  expect(readCardCode(text)).toBeNull();
});
