import { expect, it } from "vitest";
import { LOCALES } from "@/lib/domain/roles";
import ar from "@/messages/ar.json";
import en from "@/messages/en.json";
import { ERROR_TEXTS } from "./reloads";

it.each(LOCALES)("the error screen's texts equal the catalogue's (%s)", (locale) => {
  expect(ERROR_TEXTS[locale]).toEqual({ en, ar }[locale].errorScreen);
});
