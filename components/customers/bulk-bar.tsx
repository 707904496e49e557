"use client";

import { BanIcon, CircleCheckIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import type { BlockManyAction, CustomerRow } from "./customer-row";

const load = () => import("./bulk-dialog");

/** The actions for the chosen customers, at the bottom of the window. */
export function BulkBar({
  rows,
  blockMany,
  clear,
}: {
  rows: readonly CustomerRow[];
  blockMany: BlockManyAction;
  clear: () => void;
}) {
  const t = useTranslations("customers.bulk");
  const active = rows.filter(({ status }) => status === "active");
  const blocked = rows.filter(({ status }) => status === "blocked");
  return (
    <div
      role="toolbar"
      aria-label={t("label")}
      className="sticky bottom-[calc(1rem+var(--bar,0px))] z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl border bg-popover p-2 ps-4 shadow-lg"
    >
      <span className="me-2 font-medium text-sm" aria-live="polite">
        {t("chosen", { count: rows.length })}
      </span>
      {active.length > 0 && (
        <DialogButton
          load={load}
          dialog={({ BulkDialog }, button) => (
            <BulkDialog rows={active} status="blocked" blockMany={blockMany} done={clear}>
              {button}
            </BulkDialog>
          )}
          variant="outline"
        >
          <BanIcon aria-hidden /> {t("block", { count: active.length })}
        </DialogButton>
      )}
      {blocked.length > 0 && (
        <DialogButton
          load={load}
          dialog={({ BulkDialog }, button) => (
            <BulkDialog rows={blocked} status="active" blockMany={blockMany} done={clear}>
              {button}
            </BulkDialog>
          )}
          variant="outline"
        >
          <CircleCheckIcon aria-hidden /> {t("unblock", { count: blocked.length })}
        </DialogButton>
      )}
      <Button variant="ghost" size="icon" aria-label={t("clear")} onClick={clear}>
        <XIcon aria-hidden />
      </Button>
    </div>
  );
}
