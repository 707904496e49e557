/** The age limits for a card, in years. */
export const MIN_AGE = 13;
export const MAX_AGE = 120;
