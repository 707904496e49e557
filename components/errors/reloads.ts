import type { Locale } from "@/lib/domain/roles";

type Store = Pick<Storage, "getItem" | "setItem">;

const MAX_RELOADS = 5;
const COUNT_KEY = "error_reloads";
const FLAG_PREFIX = "error_reloaded:";
const COUNT_WINDOW_MS = 10 * 60 * 1000;

/** Marks an error as reloaded. Answers true only the first time per error, and false without storage. */
export function claimAutoReload(store: Store, error: string): boolean {
  const key = FLAG_PREFIX + error.slice(0, 200);
  if (store.getItem(key) !== null) return false;
  store.setItem(key, "1");
  return store.getItem(key) !== null;
}

/** Counts a Try Again at `now` (milliseconds since 1970). Answers false after more than five in a row. */
export function countReload(store: Store, now: number): boolean {
  const [count = 0, at = 0] = (store.getItem(COUNT_KEY) ?? "").split("@").map(Number);
  const next = now - at < COUNT_WINDOW_MS && Number.isFinite(count) ? count + 1 : 1;
  store.setItem(COUNT_KEY, `${next}@${now}`);
  return next <= MAX_RELOADS;
}

/** The catalogues' `errorScreen` (a test compares them), for when the catalogues' provider fails. */
export const ERROR_TEXTS = {
  en: {
    copied: "Copied!",
    copy: "Copy Error",
    description: "An unexpected error occurred while processing your request.",
    details: "Technical Details",
    home: "Go Home",
    reloading: "Reloading…",
    title: "Oops! Something went wrong",
    tryAgain: "Try Again",
  },
  ar: {
    copied: "تم النسخ!",
    copy: "نسخ الخطأ",
    description: "حدث خطأ غير متوقع أثناء معالجة طلبك.",
    details: "التفاصيل التقنية",
    home: "الصفحة الرئيسية",
    reloading: "جارٍ إعادة التحميل…",
    title: "عذرًا! حدث خطأ ما",
    tryAgain: "إعادة المحاولة",
  },
} satisfies Record<Locale, Record<string, string>>;
