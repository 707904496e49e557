"use client";

import {
  BanIcon,
  CircleCheckIcon,
  CircleXIcon,
  ClockIcon,
  EyeIcon,
  RotateCwIcon,
  SendIcon,
  TriangleAlertIcon,
} from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { replayWebhookAction, testWebhookAction } from "@/app/(merchant)/merchant/actions";
import { useAction, useSaid } from "@/components/accounts/session/use-action";
import { ConfirmButton } from "@/components/data/confirm-button";
import { type Column, DataTable } from "@/components/data/data-table";
import { RelativeTime } from "@/components/data/relative-time";
import { StateBadge, type StateLook } from "@/components/data/status-badge";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogFooter, DialogHeader, DialogTrigger } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty";
import { formatDateTime } from "@/lib/domain/time";
import type { DeliveryState, EndpointState } from "@/lib/webhooks/model";
import type { Attempt, Delivery } from "@/lib/webhooks/names";

const STATES: Record<DeliveryState, StateLook> = {
  pending: { variant: "warning", Icon: ClockIcon },
  succeeded: { variant: "success", Icon: CircleCheckIcon },
  failed: { variant: "destructive", Icon: CircleXIcon },
};

const ENDPOINT_STATES: Record<EndpointState, StateLook> = {
  active: { variant: "success", Icon: CircleCheckIcon },
  failing: { variant: "warning", Icon: TriangleAlertIcon },
  disabled: { variant: "secondary", Icon: BanIcon },
};

export function EndpointBadge({ state }: { state: EndpointState }) {
  const t = useTranslations("webhooks");
  return <StateBadge of={ENDPOINT_STATES[state]}>{t(`states.${state}`)}</StateBadge>;
}

function AnswerText({ attempt: { status, error, duration } }: { attempt: Attempt }) {
  const t = useTranslations("webhooks");
  if (error) return t(`why.${error}`);
  return t("answerOf", { status: String(status ?? ""), duration });
}

/** The buttons above the log: a test, and everything that was given up again. */
export function LogButtons({ id }: { id: string }) {
  const t = useTranslations("webhooks");
  const said = useSaid();
  const { pending, run } = useAction();
  return (
    <>
      <ConfirmButton
        icon={RotateCwIcon}
        label={t("againAll")}
        confirmLabel={t("again")}
        description={t("againText")}
        confirmVariant="default"
        run={() => replayWebhookAction({ id, failedOnly: true })}
        onDone={({ count }) => said(t("replayed", { count }))}
      />
      <Button
        aria-disabled={pending || undefined}
        onClick={() =>
          pending ||
          run(
            () => testWebhookAction({ id }),
            () => said(t("tested")),
          )
        }
      >
        <SendIcon aria-hidden /> {t("test")}
      </Button>
    </>
  );
}

function Details({ id, delivery }: { id: string; delivery: Delivery }) {
  const t = useTranslations("webhooks");
  const locale = useLocale();
  const said = useSaid();
  const { pending, run } = useAction();
  const { eventId, body, attempts } = delivery;
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="ghost" size="sm">
          <EyeIcon aria-hidden /> {t("show")}
        </Button>
      </DialogTrigger>
      <DialogContent className="max-h-[90dvh] overflow-y-auto">
        <DialogHeader
          title={t("showOne", { name: delivery.type ?? "" })}
          text={
            <bdi dir="ltr" className="break-all font-mono text-xs">
              {eventId}
            </bdi>
          }
        />
        <ol className="flex flex-col gap-2 text-sm">
          {attempts.map((attempt) => (
            <li key={attempt.sentAt.toISOString()}>
              {formatDateTime(attempt.sentAt, locale)} — <AnswerText attempt={attempt} />
              {attempt.answer && (
                <pre
                  dir="ltr"
                  className="mt-1 max-h-32 overflow-auto whitespace-pre-wrap break-all rounded bg-muted p-2 text-xs"
                >
                  {attempt.answer}
                </pre>
              )}
            </li>
          ))}
        </ol>
        <p className="font-medium text-sm">{t("body")}</p>
        <pre
          dir="ltr"
          className="max-h-72 overflow-auto whitespace-pre-wrap break-all rounded-md border bg-muted p-3 text-xs"
        >
          {JSON.stringify(body, null, 2)}
        </pre>
        <DialogFooter>
          <Button
            aria-disabled={pending || undefined}
            onClick={() =>
              pending ||
              run(
                () => replayWebhookAction({ id, eventId }),
                ({ count }) => said(t("replayed", { count })),
              )
            }
          >
            <RotateCwIcon aria-hidden /> {t("again")}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

export function DeliveriesTable({ id, deliveries }: { id: string; deliveries: readonly Delivery[] }) {
  const t = useTranslations("webhooks");
  const columns: Column<Delivery>[] = [
    {
      header: t("event"),
      primary: true,
      cell: ({ type, eventId }) => (
        <bdi dir="ltr" className="break-all font-mono text-sm">
          {type ?? eventId}
        </bdi>
      ),
    },
    {
      header: t("sent"),
      cell: ({ createdAt, attempts: [last] }) => <RelativeTime date={last?.sentAt ?? createdAt} />,
    },
    {
      header: t("answer"),
      phone: "below",
      cell: ({ attempts, nextAt }) => {
        const [last] = attempts;
        if (!last) return t("noTries");
        return (
          <>
            <AnswerText attempt={last} />
            {attempts.length > 1 && ` · ${t("tries", { count: attempts.length })}`}
            {nextAt && (
              <>
                {" · "}
                {t("nextTry")} <RelativeTime date={nextAt} />
              </>
            )}
          </>
        );
      },
    },
    {
      header: t("state"),
      phone: "aside",
      cell: ({ state }) => <StateBadge of={STATES[state]}>{t(`delivery.${state}`)}</StateBadge>,
    },
    {
      header: t("actions"),
      actions: true,
      cell: (delivery) => <Details id={id} delivery={delivery} />,
    },
  ];
  return (
    <DataTable
      caption={t("deliveryCaption")}
      columns={columns}
      rows={deliveries}
      empty={<EmptyState icon={SendIcon} title={t("noDeliveries")} description={t("noDeliveriesText")} />}
    />
  );
}
