import type { useTranslations } from "next-intl";
import { formatPoints } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import type { OfflineWords } from "./counter-calls";

export type OfflineTexts = ReturnType<typeof useTranslations<"offlineCounter">>;

/** The sentences of what cannot be done without a connection, in the page's language. */
export function offlineWords(t: OfflineTexts, locale: Locale): OfflineWords {
  return {
    redeem: t("redeem"),
    refused: {
      off: () => t("refused.off"),
      unknown: () => t("refused.unknown"),
      blocked: () => t("refused.blocked"),
      aboveOne: (limit) => t("refused.aboveOne", { limit: formatPoints(limit, locale) }),
      aboveTotal: (limit) => t("refused.aboveTotal", { limit: formatPoints(limit, locale) }),
    },
  };
}
