"use client";

import { CircleCheckIcon, ShieldAlertIcon, SnowflakeIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import type { ActionResult } from "@/lib/domain/errors";
import { CustomerNotice } from "./customer-frame";

type Part = { title: string; text: string };

/** The page behind a mailed link: one button does what the link is for, since opening a link changes nothing. */
export function LinkScreen({
  token,
  ask,
  button,
  destructive = false,
  done,
  freezes = false,
  after,
  action,
}: {
  token: string;
  ask: Part;
  button: string;
  destructive?: boolean;
  done: Part;
  /** A snowflake says that it is done, in place of a check mark. */
  freezes?: boolean;
  after?: ReactNode;
  action: (input: { token: string }) => Promise<ActionResult<unknown>>;
}) {
  const errors = useTranslations("errors");
  const notify = useNotify();
  const [finished, setFinished] = useState(false);
  const [busy, start] = useTransition();
  const run = () =>
    start(async () => {
      const result = await action({ token }).catch(() => null);
      if (result?.ok) setFinished(true);
      else notify.error(result ? result.message : errors("unavailable"));
    });
  const DoneIcon = freezes ? SnowflakeIcon : CircleCheckIcon;
  const { title, text } = finished ? done : ask;
  return (
    <CustomerNotice
      icon={finished ? DoneIcon : ShieldAlertIcon}
      title={title}
      live
      action={
        finished ? (
          after
        ) : (
          <Button variant={destructive ? "destructive" : "default"} size="xl" disabled={busy} onClick={run}>
            {busy && <Spinner aria-hidden />}
            {button}
          </Button>
        )
      }
    >
      {text}
    </CustomerNotice>
  );
}
