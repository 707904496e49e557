"use client";

import { CopyIcon, ListFilterIcon, ReceiptTextIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useCopy } from "@/components/data/copy-button";
import { useUrlFilters } from "@/components/data/url-filters";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { useNotify } from "@/components/ui/notify";

/** The menu of a movement's row, open at first; `children` is its button. */
export function MovementMenu({
  row: { id, customerId, customer },
  base,
  children,
}: {
  row: { id: string; customerId?: string; customer?: string };
  base: string;
  children: ReactNode;
}) {
  const t = useTranslations("movements");
  const common = useTranslations("common");
  const notify = useNotify();
  const { copy } = useCopy();
  const { path, hrefWith } = useUrlFilters();
  const log = `${base}/transactions`;
  const only = { customerId: customerId ?? null };
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem asChild>
          <Link href={`${base}/transactions/${id}`}>
            <ReceiptTextIcon aria-hidden /> {t("open")}
          </Link>
        </DropdownMenuItem>
        {customerId && (
          <DropdownMenuItem asChild>
            <Link href={path === log ? hrefWith(only) : `${log}?customerId=${customerId}`}>
              <ListFilterIcon aria-hidden /> {t("onlyOf", { name: customer ?? "" })}
            </Link>
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={() => copy(id).then(() => notify.success(common("copied")))}>
          <CopyIcon aria-hidden /> {t("copyReference")}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
