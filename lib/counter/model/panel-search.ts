/** Shorter search terms find nothing at the counter and are ignored in lists. */
export const MIN_SEARCH_LENGTH = 3;
