/** The holder asked for a new address, or staff for one that the card had before (restore) or a new one (staff). */
export type EmailChangeKind = "holder" | "restore" | "staff";

/** Hours that a change waits. The code that unfreezes a card goes to the address of that long ago. */
export const HOURS_TO_CHANGE = { holder: 72, restore: 24, staff: 72 } as const satisfies Record<
  EmailChangeKind,
  number
>;

/** The kinds that the holder may stop: who took the card over must not stop staff from giving it back. */
export const STOPPED_BY_HOLDER = ["holder", "staff"] as const satisfies EmailChangeKind[];
