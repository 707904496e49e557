import { LOCALES } from "@/lib/domain/roles";

/**
 * The prints of the sign-up code: an A4 poster, a tent card of two A5 sides, and sheets of stickers of 9 cm.
 */
export const POSTER_KINDS = ["poster", "counter", "square", "round"] as const;
export type PosterKind = (typeof POSTER_KINDS)[number];

/** The languages of a poster. */
export const POSTER_LANGUAGES = ["both", ...LOCALES] as const;
