/** The guides at /help: the sections of each, in order, each with its picture of the product, which npm run guides takes. */
export const GUIDES = {
  owner: {
    apply: null,
    team: "workers",
    tills: "tills",
    limits: "settings",
    poster: "poster",
    day: null,
    bonus: null,
    undo: null,
    frozen: null,
    shifts: "shift-report",
    offline: null,
    owed: "liability",
  },
  cashier: {
    start: "counter",
    pin: "faces",
    shift: "shift",
    topup: "top-up",
    redeem: null,
    confirm: "confirm",
    receipt: "receipt",
    undo: null,
    refund: null,
    line: null,
    offline: "offline",
    close: "count",
    own: null,
  },
  customer: { get: "sign-up", use: null, balance: "card", lost: null, freeze: null, data: null },
  developers: {
    key: null,
    client: null,
    first: null,
    find: null,
    topup: null,
    again: null,
    hold: null,
    capture: null,
    lost: null,
    errors: null,
    log: null,
    webhook: null,
    python: null,
    php: null,
    limits: null,
    leaked: null,
  },
} as const satisfies Record<string, Record<string, string | null>>;

export type Guide = keyof typeof GUIDES;

/** Whether the last part of an address names a guide. */
export const isGuide = (name: string): name is Guide => Object.hasOwn(GUIDES, name);
