"use client";

import { CircleUserIcon, CopyIcon, ReceiptTextIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useCopy } from "@/components/data/copy-button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { useNotify } from "@/components/ui/notify";

/** The menu of a customer's row, open at first; `children` is its button. */
export function CustomerMenu({
  row: { id, email },
  base,
  children,
}: {
  row: { id: string; email?: string };
  base: string;
  children: ReactNode;
}) {
  const t = useTranslations("customers");
  const common = useTranslations("common");
  const notify = useNotify();
  const { copy } = useCopy();
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem asChild>
          <Link href={`${base}/customers/${id}`}>
            <CircleUserIcon aria-hidden /> {t("open")}
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link href={`${base}/transactions?customerId=${id}`}>
            <ReceiptTextIcon aria-hidden /> {t("transactions")}
          </Link>
        </DropdownMenuItem>
        {email && (
          <DropdownMenuItem onSelect={() => copy(email).then(() => notify.success(common("copied")))}>
            <CopyIcon aria-hidden /> {t("copyEmail")}
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
