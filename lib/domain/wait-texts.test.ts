import { expect, test } from "vitest";
import ar from "@/messages/ar.json";
import en from "@/messages/en.json";
import { WAIT_TEXTS } from "./wait-texts";

test("the edge says what the catalogues say", () => {
  expect(WAIT_TEXTS).toEqual({ en: en.wait, ar: ar.wait });
});
