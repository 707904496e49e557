import type { Locale } from "./roles";

/** The catalogue's `wait` texts, for the edge, which does not carry the catalogues; a test keeps them equal. */
export const WAIT_TEXTS: Record<Locale, { title: string; text: string }> = {
  en: {
    title: "One moment, please",
    text: "Too many pages were opened from here. Please try again in a minute.",
  },
  ar: { title: "لحظة من فضلك", text: "فُتحت صفحات كثيرة من هنا. يرجى المحاولة بعد دقيقة." },
};
