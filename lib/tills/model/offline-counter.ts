/** The most entries that a till sends in one call, so that the body stays small. */
export const MAX_ENTRIES = 50;
/** By how much the number of an entry may be above the till's last one. A browser that lost its entries leaves a gap. */
export const MAX_NUMBER_JUMP = 10_000;
/** How many entries that wait for a decision are counted. */
export const MOST_WAITING = 99;
/** For how many days a till remembers a customer it met. */
export const KEPT_DAYS = 30;

/** The service worker's script, and the two parts of the site that it serves without a connection. */
export const WORKER_SCRIPT = "/sw.js";
export const CARD_SCOPE = "/customer/loyalty-card";
export const TILL_SCOPE = "/employee";

/** The pages of the counter that a till opens without a connection. */
export const TILL_PAGES = ["/employee/topup", "/employee/redeem"] as const;
export const TILL_CACHE_PREFIX = "till-";
export const TILL_PAGES_CACHE = `${TILL_CACHE_PREFIX}pages`;
/** The lock under which pages are kept for a session and removed with it, so that none are kept once it has ended. */
export const TILL_PAGES_LOCK = "till-pages";
/** The key in that cache of the session that the pages belong to. It is not the address of a page. */
export const TILL_CASHIER_URL = "/employee/_cashier";
/** The name under which a browser sends what waits once it is connected again. */
export const SYNC_TAG = "till-sync";

/** The channel on which a till's tabs and its service worker announce changes. */
export const LINE_CHANNEL = "till-offline";

/** A page asks the service worker to keep an open card, or the counter's pages for a session's handle. */
export type WorkerMessage = { page: string; parts: string[] } | { keepTill: string };

/** The limits, in points, of the top-ups that a till keeps without a connection, and its next entry's number. */
export type OfflineRules = { maxTopUp: number; maxTotal: number; nextEntry: number };
