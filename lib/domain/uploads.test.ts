import { expect, test } from "vitest";
import { fileProblem, nameFits, takesType } from "./uploads";

test("a type is taken by its category, under any of its spellings", () => {
  expect(takesType("image", "IMAGE/JPG; q=1")).toBe(true);
  expect(takesType("image", "application/pdf")).toBe(false);
  expect(takesType("document", "application/pdf")).toBe(true);
});

test.each(["constructor", "__proto__", "toString", ""])("%j is no type of a file", (type) => {
  expect(takesType("document", type)).toBe(false);
  expect(nameFits("paper.pdf", type)).toBe(false);
  expect(fileProblem({ name: "paper.pdf", type, size: 1 }, "document")).toBe("validation.upload.document");
});
