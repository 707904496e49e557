export type Choice = { id: string; name: string };

/** What a list may be narrowed to; branches and staff are those of one merchant. */
export type FilterOptions = { merchants: Choice[]; branches: Choice[]; staff: Choice[] };
