"use client";

import { useTranslations } from "next-intl";
import { counterApi } from "@/components/counter/counter-api";
import { ReverseDialog } from "@/components/ledger/reverse-dialog";
import { toResult } from "@/lib/api/client";
import type { LoggedMovement } from "@/lib/ledger/model/movements";

type ReverseMovementProps = { movement: LoggedMovement; base: string; handle: string; userId: string };

/** The Reverse button of a transaction, which uses the same call as the counter's Undo. */
export function ReverseMovement({ movement, base, handle, userId }: ReverseMovementProps) {
  const t = useTranslations("counter");
  return (
    <ReverseDialog
      movement={movement}
      base={base}
      reverse={async ({ movementId, reason }) =>
        toResult(await counterApi(handle, userId).undo(movementId, reason ?? null), t("undoLost"))
      }
    />
  );
}
