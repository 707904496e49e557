import type { useTranslations } from "next-intl";
import type { CounterApi } from "@/components/counter/types";
import { formatPoints } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import {
  TILL_CASHIER_URL,
  TILL_PAGES,
  TILL_PAGES_CACHE,
  TILL_SCOPE,
  WORKER_SCRIPT,
  type WorkerMessage,
} from "@/lib/tills/model/offline-counter";
import { readDevice } from "../device/device";
import { readMark } from "../device/mark";
import { openConnection, type TillConnection } from "./connection";
import { callsOfTill, type OfflineWords } from "./counter-calls";
import { rewriteCustomers } from "./customers";
import { forgetEntryKey } from "./entry-key";
import { OfflineBanner, recentNote } from "./offline-banner";
import { forgetTill } from "./store";
import { tillCalls } from "./till-calls";
import { saveCashier } from "./till-record";

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
function followBuilds(onNew: () => void): () => void {
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

/** A till at its counter: its line, its calls with and without a connection, and what it shows. */
export type OpenTill = {
  line: TillConnection;
  api: (base: CounterApi, t: OfflineTexts, locale: Locale) => CounterApi;
  Banner: typeof OfflineBanner;
  recentNote: typeof recentNote;
  close: () => void;
};

/** Opens the till that this browser is, for the cashier with this session's handle; null where it has no key. */
export async function openTill(handle: string): Promise<OpenTill | null> {
  const device = await readDevice();
  if (!device) return null;
  const retired = readMark() === "retired";
  // A retired till keeps no new top-ups, but still sends those that it kept. So does a till whose store
  // fails.
  await (retired ? forgetTill() : saveCashier(handle)).catch(() => undefined);
  await forgetEntryKey((of) => of !== handle).catch(() => undefined);
  const line = openConnection(
    device.till.id,
    tillCalls(device.keys, async () => handle),
  );
  if (!retired) await rewriteCustomers().catch(() => undefined);
  // Without the shell the counter still works with a connection.
  if (!retired) keepShell(handle).catch(() => undefined);
  const stopFollowing = followBuilds(line.outdated);
  return {
    line,
    api: (base, t, locale) => (retired ? base : callsOfTill(base, device, line, offlineWords(t, locale))),
    Banner: OfflineBanner,
    recentNote,
    close: () => {
      line.close();
      stopFollowing();
    },
  };
}

type OfflineTexts = ReturnType<typeof useTranslations<"offlineCounter">>;

/** The sentences of what cannot be done without a connection, in the page's language. */
function offlineWords(t: OfflineTexts, locale: Locale): OfflineWords {
  return {
    redeem: t("redeem"),
    refused: {
      off: () => t("refused.off"),
      unknown: () => t("refused.unknown"),
      blocked: () => t("refused.blocked"),
      aboveOne: (limit) => t("refused.aboveOne", { limit: formatPoints(limit, locale) }),
      aboveTotal: (limit) => t("refused.aboveTotal", { limit: formatPoints(limit, locale) }),
    },
  };
}

/** Whether the counter's pages are kept for this session already. */
async function isKeptFor(handle: string): Promise<boolean> {
  const kept = (url: string) => caches.match(url, { cacheName: TILL_PAGES_CACHE });
  const cashier = await kept(TILL_CASHIER_URL);
  if ((await cashier?.text()) !== handle) return false;
  return (await Promise.all(TILL_PAGES.map(kept))).every((page) => page !== undefined);
}

/**
 * Makes the counter open without a connection on this till, for the cashier with this session's handle. Only in builds:
 * the development server's files change under their names.
 */
async function keepShell(handle: string): Promise<void> {
  if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(WORKER_SCRIPT, { scope: TILL_SCOPE });
  if (await isKeptFor(handle)) return;
  const { active } = await navigator.serviceWorker.ready;
  const message: WorkerMessage = { keepTill: handle };
  active?.postMessage(message);
}
