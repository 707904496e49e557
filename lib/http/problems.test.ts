import { expect, test } from "vitest";
import { z } from "zod";
import { readableProblems, validationError } from "./problems";

const schema = z.object({
  sCity: z.string(),
  nPage: z.number(),
  place: z.object({ sName: z.string().min(1).max(3) }),
});
const refused = (value: unknown) => {
  const { error } = schema.safeParse(value);
  return error ? readableProblems("en", validationError(error).problems) : [];
};

test("each invalid field has a message that distinguishes a missing value from a wrong one", () => {
  expect(refused({ nPage: "two", place: { sName: "" } })).toEqual([
    { path: "sCity", message: "This field is required" },
    { path: "nPage", message: "This has the wrong type" },
    { path: "place.sName", message: "This field is required" },
  ]);
  expect(refused({ sCity: "Doha", nPage: 1, place: { sName: "long" } })).toEqual([
    { path: "place.sName", message: "This is too long" },
  ]);
  expect(refused({ sCity: null, nPage: 1, place: { sName: "ok" } })).toEqual([
    { path: "sCity", message: "This has the wrong type" },
  ]);
});
