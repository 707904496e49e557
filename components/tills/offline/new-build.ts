import { TILL_SCOPE } from "@/lib/tills/model/offline-counter";

/**
 * ASK_MS: how often a till that nobody reloads asks for a new build. QUIET_MS: how long nobody must touch the
 * till before it reloads.
 */
const ASK_MS = 60 * 60_000;
const QUIET_MS = 10_000;
const CHECK_MS = 1_000;
const NO_TEXT = new Set(["hidden", "checkbox", "radio", "file", "submit", "button"]);

/**
 * Answers whether this page is of an older build than the service worker that serves it. If so, the service
 * worker no longer keeps some of the page's scripts.
 */
async function isOutdated(): Promise<boolean> {
  const precache = (await caches.keys()).find(
    (name) => name.includes("precache") && name.endsWith(TILL_SCOPE),
  );
  if (precache === undefined) return false;
  const scripts = [...document.scripts]
    .map(({ src }) => src)
    .filter((src) => src.includes("/_next/static/") && !/polyfill/.test(src));
  const kept = await Promise.all(scripts.map((src) => caches.match(src, { cacheName: precache })));
  return kept.includes(undefined);
}

/** Waits until a service worker that took over has also removed the files that it does not keep. */
function untilActive(worker: ServiceWorker): Promise<void> {
  return new Promise((done) => {
    const look = () => {
      if (worker.state !== "activating") done();
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

/** Answers whether a reload of the page would lose nothing: no dialog is open, and no field has a text. */
function isIdle(): boolean {
  if (document.querySelector("[role=dialog], [role=alertdialog]")) return false;
  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].every(
    ({ type, value }) => NO_TEXT.has(type) || value === "",
  );
}

/**
 * Follows the builds of the product. When a newer build has taken over, it calls `onNew`. It reloads the page
 * once nobody has touched it for ten seconds and no typed text would be lost. Answers a function that stops
 * this.
 */
export function followBuilds(onNew: () => void): () => void {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return () => undefined;
  let controlled = serviceWorker.controller !== null;
  let touched = Date.now();
  let reload: ReturnType<typeof setInterval> | undefined;
  const onTouch = () => {
    touched = Date.now();
  };
  const onController = async () => {
    const first = !controlled;
    controlled = true;
    if (first || serviceWorker.controller === null) return;
    await untilActive(serviceWorker.controller);
    // Ignore the first service worker of a page, and a service worker of the same build as the page.
    if (reload !== undefined || !(await isOutdated())) return;
    onNew();
    reload = setInterval(() => {
      if (Date.now() - touched >= QUIET_MS && isIdle()) window.location.reload();
    }, CHECK_MS);
  };
  const ask = setInterval(async () => {
    const registration = await serviceWorker.getRegistration();
    // Ignore a lost connection: the next round asks again.
    await registration?.update().catch(() => undefined);
  }, ASK_MS);
  const events = ["pointerdown", "keydown", "wheel", "touchmove"] as const;
  for (const event of events) window.addEventListener(event, onTouch, { passive: true, capture: true });
  const changed = () => void onController();
  serviceWorker.addEventListener("controllerchange", changed);
  return () => {
    clearInterval(ask);
    clearInterval(reload);
    for (const event of events) window.removeEventListener(event, onTouch, { capture: true });
    serviceWorker.removeEventListener("controllerchange", changed);
  };
}
