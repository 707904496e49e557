import type { Locale } from "@/lib/domain/roles";

/**
 * The error screen's texts, the same as the catalogues' `errorScreen` (a test compares them): the screen must stand
 * when the catalogues' provider has fallen, and without loading both whole catalogues into every page.
 */
export const ERROR_TEXTS: Record<Locale, ErrorTexts> = {
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
    title: "عذراً! حدث خطأ ما",
    tryAgain: "حاول مجدداً",
  },
};

export type ErrorTexts = {
  copied: string;
  copy: string;
  description: string;
  details: string;
  home: string;
  reloading: string;
  title: string;
  tryAgain: string;
};
