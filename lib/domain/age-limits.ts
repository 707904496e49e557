/** How old who signs up for a card is, in years. */
export const MIN_AGE = 13;
export const MAX_AGE = 120;
