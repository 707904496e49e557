import { expect, test } from "vitest";
import { acceptsContentType, extensionMatches, fileProblem } from "./uploads";

test("a category accepts its content types in any spelling", () => {
  expect(acceptsContentType("image", "IMAGE/JPG; q=1")).toBe(true);
  expect(acceptsContentType("image", "application/pdf")).toBe(false);
  expect(acceptsContentType("document", "application/pdf")).toBe(true);
});

test.each(["constructor", "__proto__", "toString", ""])("%j is not an accepted content type", (type) => {
  expect(acceptsContentType("document", type)).toBe(false);
  expect(extensionMatches("paper.pdf", type)).toBe(false);
  expect(fileProblem({ name: "paper.pdf", type, size: 1 }, "document")).toBe("validation.upload.document");
});
