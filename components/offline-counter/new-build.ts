import { TILL_SCOPE } from "@/lib/domain/offline-counter";

/** How often a till that is never reloaded asks for a new build, and how long it is left alone before it reloads. */
const ASK_MS = 60 * 60_000;
const QUIET_MS = 10_000;
const CHECK_MS = 1_000;
const NO_TEXT = new Set(["hidden", "checkbox", "radio", "file", "submit", "button"]);

/** Whether this page is of an older build than the worker that serves it: some of its scripts are kept no more. */
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

/** Waits until a worker that took over has also removed what it does not keep. */
function untilActive(worker: ServiceWorker): Promise<void> {
  return new Promise((done) => {
    const look = () => {
      if (worker.state !== "activating") done();
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

/** Whether loading the page anew would take nothing away: no dialog is open, and no field has a text. */
function isIdle(): boolean {
  if (document.querySelector("[role=dialog], [role=alertdialog]")) return false;
  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].every(
    ({ type, value }) => NO_TEXT.has(type) || value === "",
  );
}

/**
 * Follows the builds of the product. When a newer one has taken over, `onNew` is called, and the page is loaded anew
 * once nobody has touched it for ten seconds and nothing typed would be lost. Answers a function that stops this.
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
    // The first worker of a page is no news, nor one that comes with the page's own build.
    if (reload !== undefined || !(await isOutdated())) return;
    onNew();
    reload = setInterval(() => {
      if (Date.now() - touched >= QUIET_MS && isIdle()) window.location.reload();
    }, CHECK_MS);
  };
  const ask = setInterval(async () => {
    const registration = await serviceWorker.getRegistration();
    // Without a connection there is nothing new.
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
