"use client";

import { ChevronRightIcon, ChevronsLeftIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/ui/button";
import { CURSOR_PARAM, useUrlFilters } from "./url-filters";

/** Links to the next page of a list and back to its first. Renders nothing for a single page. */
export function CursorPager({ nextCursor }: { nextCursor: string | null }) {
  const t = useTranslations("list");
  const { get, hrefWith, linkTo } = useUrlFilters();
  const pastFirstPage = get(CURSOR_PARAM) !== "";
  if (!pastFirstPage && !nextCursor) return null;
  return (
    <nav aria-label={t("pages")} className="mt-4 flex items-center justify-between gap-2">
      {pastFirstPage ? (
        <LinkButton variant="outline" {...linkTo(hrefWith({}), true)}>
          <ChevronsLeftIcon className="rtl:-scale-x-100" aria-hidden /> {t("first")}
        </LinkButton>
      ) : (
        <span />
      )}
      {nextCursor && (
        <LinkButton variant="outline" {...linkTo(hrefWith({ [CURSOR_PARAM]: nextCursor }), true)}>
          {t("next")} <ChevronRightIcon className="rtl:-scale-x-100" aria-hidden />
        </LinkButton>
      )}
    </nav>
  );
}
