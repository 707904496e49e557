import { LOCALES } from "@/lib/domain/roles";

/** The prints of the sign-up code: an A4 poster, a tent card of two A5 sides, sheets of 9 cm stickers. */
export const POSTER_KINDS = ["poster", "counter", "square", "round"] as const;
export type PosterKind = (typeof POSTER_KINDS)[number];

export const POSTER_LANGUAGES = ["both", ...LOCALES] as const;
