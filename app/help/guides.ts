/** The guides at /help: the sections of each, in order, and the pictures that npm run guides takes of the product. */
export const GUIDES = {
  owner: {
    sections: [
      "apply",
      "team",
      "tills",
      "limits",
      "poster",
      "day",
      "bonus",
      "undo",
      "frozen",
      "shifts",
      "offline",
      "owed",
    ],
    pictures: {
      team: "workers",
      poster: "poster",
      limits: "settings",
      tills: "tills",
      shifts: "shift-report",
      owed: "liability",
    },
  },
  cashier: {
    sections: [
      "start",
      "pin",
      "shift",
      "topup",
      "redeem",
      "confirm",
      "receipt",
      "undo",
      "refund",
      "line",
      "offline",
      "close",
      "own",
    ],
    pictures: {
      start: "counter",
      pin: "faces",
      topup: "top-up",
      confirm: "confirm",
      receipt: "receipt",
      shift: "shift",
      close: "count",
      offline: "offline",
    },
  },
  customer: {
    sections: ["get", "use", "balance", "lost", "freeze", "data"],
    pictures: { get: "sign-up", balance: "card" },
  },
  developers: {
    sections: [
      "key",
      "client",
      "first",
      "find",
      "topup",
      "again",
      "hold",
      "capture",
      "lost",
      "errors",
      "log",
      "webhook",
      "python",
      "php",
      "limits",
      "leaked",
    ],
    pictures: {},
  },
} as const;

export type Guide = keyof typeof GUIDES;

/** Whether the last part of an address names a guide. */
export const isGuide = (name: string): name is Guide => Object.hasOwn(GUIDES, name);
