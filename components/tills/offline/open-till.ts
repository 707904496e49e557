import type { useTranslations } from "next-intl";
import type {
  Answer,
  CounterApi,
  CounterCustomer,
  CounterMode,
  CounterMovement,
  CounterPosting,
  KeptOutcome,
  RecentMovement,
} from "@/components/counter/types";
import { cashValue, formatPoints } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import {
  TILL_CASHIER_URL,
  TILL_PAGES,
  TILL_PAGES_CACHE,
  TILL_SCOPE,
  WORKER_SCRIPT,
  type WorkerMessage,
} from "@/lib/tills/model/offline-counter";
import { type Device, readDevice } from "../device/device";
import { readMark } from "../device/mark";
import { TillConnection } from "./connection";
import {
  asServed,
  findKept,
  forgetCustomer,
  noteBalance,
  publicIdOf,
  rememberCustomer,
  rewriteCustomers,
  searchKept,
} from "./customers";
import { type KeepRefusal, keepTopUp } from "./keep-top-up";
import { OfflineBanner, recentNote } from "./offline-banner";
import { forgetTill, openStore } from "./store";
import { tillCalls } from "./till-calls";
import { forgetEntryKey, readRecent, readTillRecord, saveCashier, saveRecent } from "./till-record";

/** How often a till that nobody reloads asks for a new build. */
const ASK_MS = 60 * 60_000;
/** How long nobody must touch the till before it reloads. */
const QUIET_MS = 10_000;
const CHECK_MS = 1_000;
const NO_TEXT = new Set(["hidden", "checkbox", "radio", "file", "submit", "button"]);

/** Whether this page is of an older build than its service worker, which then no longer keeps some of its scripts. */
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

/** Whether a reload of the page would lose nothing: no dialog is open, and no field has a text. */
function isIdle(): boolean {
  if (document.querySelector("[role=dialog], [role=alertdialog]")) return false;
  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].every(
    ({ type, value }) => NO_TEXT.has(type) || value === "",
  );
}

/** Calls `onNew` when a newer build has taken over, and reloads the page once it is left alone. Answers what stops this. */
function followBuilds(onNew: () => void): () => void {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return () => undefined;
  let controlled = serviceWorker.controller !== null;
  let touched = Date.now();
  let reload: ReturnType<typeof setInterval> | undefined;
  const following = new AbortController();
  const { signal } = following;
  const onTouch = () => {
    touched = Date.now();
  };
  const onController = async () => {
    const { controller } = serviceWorker;
    const first = !controlled;
    controlled = true;
    if (first || controller === null) return;
    // While it activates, it still removes the files that it does not keep.
    if (controller.state === "activating")
      await new Promise((done) => controller.addEventListener("statechange", done, { once: true }));
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
  for (const event of events)
    window.addEventListener(event, onTouch, { passive: true, capture: true, signal });
  serviceWorker.addEventListener("controllerchange", () => void onController(), { signal });
  return () => {
    clearInterval(ask);
    clearInterval(reload);
    following.abort();
  };
}

export type OpenTill = NonNullable<Awaited<ReturnType<typeof openTill>>>;

/** Opens the till that this browser is, for the cashier with this session's handle; null where it has no key. */
export async function openTill(handle: string) {
  const device = await readDevice();
  if (!device) return null;
  const retired = readMark() === "retired";
  // A retired till keeps no new top-ups, but still sends those that it kept. So does a till whose store fails.
  await (retired ? forgetTill() : saveCashier(handle)).catch(() => undefined);
  await forgetEntryKey((of) => of !== handle).catch(() => undefined);
  const calls = tillCalls(device.keys, async () => handle);
  const line = new TillConnection(device.till.id, calls);
  if (!retired) {
    await rewriteCustomers().catch(() => undefined);
    // Without the shell the counter still works with a connection.
    keepShell(handle).catch(() => undefined);
  }
  const stopFollowing = followBuilds(() => line.outdated());
  return {
    line,
    api: (base: CounterApi, t: OfflineTexts, locale: Locale): CounterApi => {
      if (retired) return base;
      const refuse: Parts["refuse"] = ({ refused, limit }) =>
        refusal(refused, t(`refused.${refused}`, { limit: formatPoints(limit, locale) }));
      return callsOfTill({ base, device, line, refuse }, refusal("redeem", t("redeem")));
    },
    Banner: OfflineBanner,
    recentNote,
    close: () => {
      line.close();
      stopFollowing();
    },
  };
}

type OfflineTexts = ReturnType<typeof useTranslations<"offlineCounter">>;

/** Makes the counter open without a connection. Only in builds: the development server's files change under their names. */
async function keepShell(handle: string): Promise<void> {
  if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(WORKER_SCRIPT, { scope: TILL_SCOPE });
  const kept = (url: string) => caches.match(url, { cacheName: TILL_PAGES_CACHE });
  const cashier = await kept(TILL_CASHIER_URL);
  const pages = await Promise.all(TILL_PAGES.map(kept));
  if ((await cashier?.text()) === handle && !pages.includes(undefined)) return;
  const { active } = await navigator.serviceWorker.ready;
  const message: WorkerMessage = { keepTill: handle };
  active?.postMessage(message);
}

/** Stores an answer of the server for use without a connection. If the store fails, the answer is still valid. */
async function note(write: () => Promise<void>): Promise<void> {
  // A retired till stores no more customers.
  if (readMark() === "paired") await write().catch(() => undefined);
}

const LOST = { kind: "lost", noAnswer: true } as const;
const refusal = (why: string, message: string) =>
  ({ kind: "refused", code: `offline_${why}`, message }) as const;
type Refusal = ReturnType<typeof refusal>;

type Parts = {
  base: CounterApi;
  device: Device;
  line: TillConnection;
  refuse: (why: KeepRefusal) => Refusal;
};

async function viewKept(id: string, { device, refuse }: Parts): Promise<Answer<CounterCustomer>> {
  const kept = await findKept(id);
  if (!kept) return refuse({ refused: "unknown", limit: 0 });
  const record = await readTillRecord(device.till.id);
  if (!record || record.maxTopUp === 0 || record.maxTotal === 0) return refuse({ refused: "off", limit: 0 });
  const customer = await asServed(kept);
  const { limits } = customer;
  const maxTopUp = Math.min(limits?.maxTopUp ?? record.maxTopUp, record.maxTopUp);
  return { kind: "ok", data: { ...customer, limits: limits && { ...limits, maxTopUp } } };
}

type KeptTopUp = Omit<CounterPosting, "customerId"> & { key: string; createdAt: string; balance: number };

/** A kept top-up as the counter shows it. `customer` is null if the till does not know the customer any more. */
function keptMovement(
  { key, branchId, points, saleRef, tender = "cash", createdAt, balance }: KeptTopUp,
  customer: Pick<CounterCustomer, "fullName" | "rate" | "merchant"> | null,
): CounterMovement {
  const rate = customer?.rate ?? 0;
  return {
    id: key,
    type: "TOP_UP",
    points,
    paid: points,
    bonus: 0,
    tender,
    saleRef: saleRef ?? null,
    balance,
    cashValue: cashValue(balance, rate),
    pointsValue: cashValue(points, rate),
    createdAt,
    customerName: customer?.fullName ?? "",
    undoUntil: null,
    kept: true,
    branch: customer?.merchant?.branches.find(({ id }) => id === branchId) ?? null,
  };
}

async function keep(
  { base, device, line, refuse }: Parts,
  posting: CounterPosting,
  key: string,
): Promise<Answer<CounterMovement>> {
  const { user: workerId, session } = base;
  const answer = await keepTopUp(device, { ...posting, key, session, workerId });
  if ("refused" in answer) return refuse(answer);
  await line.kept();
  const kept = await findKept(posting.customerId);
  const customer = kept && (await asServed(kept));
  const createdAt = new Date().toISOString();
  const topUp = { ...posting, key, createdAt, balance: customer?.balance ?? posting.points };
  return { kind: "ok", data: keptMovement(topUp, customer) };
}

/** The counter's calls on a till: the API's while there is a connection, otherwise answered from the till's store. */
function callsOfTill(parts: Parts, noRedeem: Refusal): CounterApi {
  const { base, line } = parts;
  function noted<T>(answer: Answer<T>): Answer<T> {
    if (answer.kind !== "lost") line.answered();
    else if (answer.noAnswer) line.lost();
    return answer;
  }

  async function either<T>(
    call: () => Promise<Answer<T>>,
    instead: () => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    if (line.state().up) {
      const answer = noted(await call());
      if (answer.kind !== "lost" || !answer.noAnswer) return answer;
    }
    return instead().catch(() => LOST);
  }

  const post: CounterApi["post"] = async (mode, posting, key, again = false) => {
    const { up } = line.state();
    // Nothing was sent yet, so that nothing can have been redeemed.
    if (mode === "redeem" && !up && !again) return noRedeem;
    let unsure = again;
    if (up || mode === "redeem") {
      const answer = noted(await base.post(mode, posting, key, again));
      if (answer.kind === "ok") await note(() => noteBalance(posting.customerId, answer.data.balance));
      if (mode === "redeem" || answer.kind !== "lost" || !answer.noAnswer) return answer;
      unsure = true;
    }
    // A store that fails may still have kept the top-up, so only the same key is sent again.
    const answer = await keep(parts, posting, key).catch(() => LOST);
    // The server may have posted it: a refusal would let the cashier post it again under another key.
    return answer.kind === "refused" && unsure ? LOST : answer;
  };

  return {
    ...base,
    view: (id) =>
      either(
        async () => {
          const answer = await base.view(id);
          if (answer.kind === "ok") await note(() => rememberCustomer(answer.data));
          else if (answer.kind === "refused" && answer.code === "customer_not_found")
            await note(() => forgetCustomer(id));
          return answer;
        },
        () => viewKept(id, parts),
      ),
    search: (term, signal) =>
      either(
        () => base.search(term, signal),
        async () => ({ kind: "ok", data: await searchKept(term), asOf: null }),
      ),
    recent: async (mode) => {
      const answer = await either(
        async () => {
          const rows = await base.recent(mode);
          if (rows.kind === "ok") await note(() => saveRecent(base.session, mode, rows.data));
          return rows;
        },
        async () => {
          // The last answer in this session. Nothing can be undone without a connection.
          const { data, asOf } = await readRecent<RecentMovement>(base.session, mode);
          return { kind: "ok", data: data.map((row) => ({ ...row, undoUntil: null })), asOf };
        },
      );
      return withWaiting(mode, base.user, answer).catch(() => answer);
    },
    followRecent: (changed) => followRecent(line, changed),
    followKept: ({ id }, settled) => followKept(line, id, settled),
    post,
  };
}

function followRecent(line: TillConnection, changed: () => void): () => void {
  let before = line.state();
  return line.subscribe(() => {
    const now = line.state();
    const isNews = now.up !== before.up || now.waiting !== before.waiting;
    before = now;
    if (isNews) changed();
  });
}

function followKept(line: TillConnection, key: string, settled: (outcome: KeptOutcome) => void): () => void {
  const look = async () => {
    const outcome = (await (await openStore()).get("settled", key))?.outcome;
    if (outcome) settled(outcome === "replayed" ? "posted" : outcome);
  };
  // If the store cannot be read, the outcome stays as it was reported first.
  const follow = () => void look().catch(() => undefined);
  follow();
  return line.subscribe(follow);
}

/** The rows, with this cashier's unsent top-ups before them, the latest first. Redemptions are never unsent. */
async function withWaiting(
  mode: CounterMode,
  user: string,
  answer: Answer<RecentMovement[]>,
): Promise<Answer<RecentMovement[]>> {
  if (mode !== "topup" || answer.kind !== "ok") return answer;
  const entries = await (await openStore()).getAll("waiting");
  const own = entries.filter(({ entry }) => entry.iWorkerId === user).reverse();
  const rows = await Promise.all(
    own.map(async (waiting) => {
      const { key, entry, customerName } = waiting;
      const { iBranchId: branchId, sPoints: points, sSaleRef: saleRef, eTender: tender } = entry;
      const topUp = { key, branchId, points, saleRef, tender, createdAt: entry.dOccurredAt, balance: 0 };
      const movement = keptMovement(topUp, await findKept(publicIdOf(waiting)));
      return { ...movement, customerName, left: 0, reversed: false };
    }),
  );
  return { ...answer, data: [...rows, ...answer.data] };
}
