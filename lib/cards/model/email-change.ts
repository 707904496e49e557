/**
 * The kind of a change of a card's e-mail. "holder": the holder asked for it. "restore": staff asked for an
 * address that the card had before. "staff": staff asked for a new address.
 */
export type EmailChangeKind = "holder" | "restore" | "staff";

/** Hours that a change waits. The code that unfreezes a card goes to the address of that long ago. */
export const HOURS_TO_CHANGE = { holder: 72, restore: 24, staff: 72 } as const satisfies Record<
  EmailChangeKind,
  number
>;

/** The kinds that the holder may stop: who took the card over must not stop staff from giving it back. */
export const STOPPED_BY_HOLDER = ["holder", "staff"] as const satisfies EmailChangeKind[];
