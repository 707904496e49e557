import { violationsOn } from "./support/accessible";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const { errorScreen, merchants, upload } = wordsOf("en");

test("where the layout itself fails, the page says so in the chosen theme and tries again", async ({
  page,
  shop,
  db,
}) => {
  await signIn(db, page, shop.owner);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.addInitScript(() => {
    if (sessionStorage.getItem("broken") !== null) {
      // The root layout listens for the first touch of the page.
      const listen = window.addEventListener.bind(window);
      const fail = (
        type: string,
        ...rest: [EventListenerOrEventListenerObject, AddEventListenerOptions?]
      ) => {
        if (type === "pointerdown") throw new Error("The page broke");
        listen(type, ...rest);
      };
      Object.defineProperty(window, "addEventListener", { value: fail });
    }
  });
  await page.goto("/merchant/customers");
  await page.evaluate(() => {
    localStorage.setItem("theme", "light");
    sessionStorage.setItem("broken", "1");
  });
  await page.reload();
  await expect(page.getByRole("heading", { name: errorScreen.title })).toBeVisible();
  await expect(page.locator("html")).not.toHaveClass(/dark/);
  expect(await violationsOn(page)).toEqual([]);
  await page.getByText(errorScreen.details).click();
  await expect(page.getByText("The page broke").first()).toBeVisible();
  await page.evaluate(() => sessionStorage.removeItem("broken"));
  await page.getByRole("button", { name: errorScreen.tryAgain }).click();
  await expect(page.getByRole("searchbox")).toBeVisible();
});

test("an upload that a proxy refuses as too large says so, without a limit that it does not know", async ({
  page,
  shop,
  db,
}) => {
  await signIn(db, page, shop.owner);
  await page.route("**/api/media/upload/**", (route) => route.fulfill({ status: 413, body: "too large" }));
  await page.goto("/merchant/account");
  const picture = { name: "shop.png", mimeType: "image/png", buffer: Buffer.alloc(2_000, 1) };
  await page.getByLabel(merchants.files.chooseImage).setInputFiles(picture);
  await expect(page.getByText(upload.tooLarge)).toBeVisible();
});
