import { CATALOGUES, type Messages } from "@/lib/i18n/translate";

export type Guide = Exclude<keyof Messages["help"], "all" | "contents" | "intro" | "title">;

/** The guides at /help, with the pictures of the product in their sections, which npm run guides takes. */
export const GUIDES: Record<Guide, { readonly [section: string]: string }> = {
  owner: {
    team: "workers",
    tills: "tills",
    limits: "settings",
    poster: "poster",
    shifts: "shift-report",
    owed: "liability",
  },
  cashier: {
    start: "counter",
    pin: "faces",
    shift: "shift",
    topup: "top-up",
    confirm: "confirm",
    receipt: "receipt",
    offline: "offline",
    close: "count",
  },
  customer: { get: "sign-up", balance: "card" },
  developers: {},
};

/** The sections of a guide, in the order of the catalogue. */
export const sectionsOf = (guide: Guide) =>
  Object.keys(CATALOGUES.en.help[guide]).filter((key) => key !== "title" && key !== "intro");

/** Whether the last part of an address names a guide. */
export const isGuide = (name: string): name is Guide => Object.hasOwn(GUIDES, name);
