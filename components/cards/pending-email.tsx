"use client";

import { HourglassIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { ConfirmButton } from "@/components/data/confirm-button";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { STOPPED_BY_HOLDER } from "@/lib/cards/model/email-change";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime } from "@/lib/domain/time";
import type { CardActions, CardView } from "./types";

const HOUR = 60 * 60 * 1000;

/**
 * The pending change of the card's e-mail: when it takes effect, the time left, and Cancel if the holder may cancel it.
 */
export function PendingEmailNotice({
  customerId,
  pending,
  now,
  cancel,
}: {
  customerId: string;
  pending: NonNullable<CardView["pendingEmail"]>;
  /** ISO 8601; updated with the card's state. */
  now: string;
  cancel: CardActions["cancelEmail"];
}) {
  const t = useTranslations("card");
  const locale = useLocale() as Locale;
  const router = useRouter();
  const { email, kind, dueAt } = pending;
  const due = new Date(dueAt);
  const hours = Math.max(0, Math.floor((due.getTime() - new Date(now).getTime()) / HOUR));
  return (
    <Alert variant="warning" data-slot="pending-email">
      <HourglassIcon aria-hidden />
      <AlertDescription className="flex flex-col items-start gap-3">
        <p className="wrap-anywhere">
          {t("pendingEmail", { email, time: formatDateTime(due, locale), hours })}{" "}
          {kind !== "holder" && t("pendingEmailStaff")}
        </p>
        {STOPPED_BY_HOLDER.some((own) => own === kind) && (
          <ConfirmButton
            variant="outline"
            title={t("pendingEmailCancel")}
            description={t("pendingEmail", { email, time: formatDateTime(due, locale), hours })}
            confirmLabel={t("pendingEmailCancel")}
            run={() => cancel({ customerId })}
            onDone={() => router.refresh()}
          >
            {t("pendingEmailCancel")}
          </ConfirmButton>
        )}
      </AlertDescription>
    </Alert>
  );
}
