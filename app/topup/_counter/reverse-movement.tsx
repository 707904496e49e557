"use client";

import { useTranslations } from "next-intl";
import { toActionResult } from "@/components/counter/action-result";
import { ReverseDialog } from "@/components/ledger/reverse-dialog";
import { redirectToLogin } from "@/components/session/session";
import type { LoggedMovement } from "@/lib/domain/movements";
import { counterApi } from "./counter-api";

type ReverseMovementProps = { movement: LoggedMovement; base: string; handle: string; userId: string };

/** The transaction log's Reverse, by the same call as the counter's Undo. */
export function ReverseMovement({ movement, base, handle, userId }: ReverseMovementProps) {
  const t = useTranslations("counter");
  return (
    <ReverseDialog
      movement={movement}
      base={base}
      reverse={async ({ movementId, reason }) =>
        toActionResult(
          await counterApi(handle, userId).undo(movementId, reason ?? null),
          t("undoLost"),
          redirectToLogin,
        )
      }
    />
  );
}
