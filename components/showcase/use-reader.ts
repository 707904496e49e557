import { useLocale } from "next-intl";
import type { Locale } from "@/lib/domain/roles";

/** The language of the reader. */
export const useReader = () => useLocale() as Locale;
