import type { Page, Request } from "@playwright/test";

/**
 * In the page: its processor has nothing to do, and what was done is drawn. On a busy machine Chromium may draw no frame of
 * a page at all; what stands there can be read all the same, so that two seconds are enough.
 */
export const drawn = () =>
  new Promise<void>((done) => {
    const last = () => requestIdleCallback(() => done(), { timeout: 2_000 });
    requestAnimationFrame(() => requestAnimationFrame(last));
    setTimeout(last, 2_000);
  });

/**
 * Opens a page and waits until it stands: loaded, with no request under way, and nothing to do that would make another.
 * (Playwright's `networkidle` waits for half a second without a request, whatever the page does.)
 */
export async function openSettled(page: Page, path: string): Promise<void> {
  const open = new Set<Request>();
  let asked = 0;
  const begin = (request: Request) => {
    open.add(request);
    asked++;
  };
  const end = (request: Request) => void open.delete(request);
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  try {
    await page.goto(path);
    let before = -1;
    while (open.size > 0 || before !== asked) {
      before = asked;
      await page.evaluate(drawn);
    }
  } finally {
    page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
  }
}
