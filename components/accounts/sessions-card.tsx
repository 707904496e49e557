"use client";

import { MonitorIcon, SmartphoneIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { endOtherSessionsAction, endSessionAction } from "@/app/_panels/actions";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "@/components/ui/card";
import { type OwnSession, parseUserAgent } from "@/lib/accounts/model/account";
import type { ActionResult } from "@/lib/domain/errors";
import { relativeAge } from "@/lib/domain/time";
import { useAction } from "./session/use-action";

// A longer list would hide the rest of the page. The current session comes first.
const FEW = 5;

/** The user's sessions, each with a sign-out button. `now` is the server's time (ISO 8601). */
export function SessionsCard({ sessions, now }: { sessions: OwnSession[]; now: string }) {
  const t = useTranslations("account.sessions");
  const { refresh } = useRouter();
  const [all, setAll] = useState(false);
  const { pending, run } = useAction();
  // Also after a refusal (the session may have ended), but not if lost: a failed refresh leaves the page.
  const runAndRefresh = (call: () => Promise<ActionResult<unknown>>) =>
    run(call, refresh, () => {
      refresh();
      return false;
    });
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
        <CardDescription>{t("description")}</CardDescription>
      </CardHeader>
      <CardContent>
        <ul className="divide-y" aria-busy={pending}>
          {(all ? sessions : sessions.slice(0, FEW)).map((session) => (
            <SessionRow
              key={session.handle}
              session={session}
              now={new Date(now)}
              disabled={pending}
              onEnd={() => runAndRefresh(() => endSessionAction({ handle: session.handle }))}
            />
          ))}
        </ul>
        {!all && sessions.length > FEW && (
          <Button variant="ghost" className="mt-2 w-full" onClick={() => setAll(true)}>
            {t("showAll", { count: sessions.length })}
          </Button>
        )}
      </CardContent>
      {sessions.length > 1 && (
        <CardFooter className="border-t">
          <Button
            variant="outline"
            disabled={pending}
            onClick={() => runAndRefresh(() => endOtherSessionsAction({}))}
          >
            {t("endOthers")}
          </Button>
        </CardFooter>
      )}
    </Card>
  );
}

function SessionRow({
  session,
  now,
  disabled,
  onEnd,
}: {
  session: OwnSession;
  now: Date;
  disabled: boolean;
  onEnd: () => void;
}) {
  const t = useTranslations("account.sessions");
  const age = useTranslations("time");
  const { count, unit } = relativeAge(session.lastSeenAt, now);
  const { browser, system, handheld } = parseUserAgent(session.userAgent);
  const name = [browser, system].filter(Boolean).join(" · ") || t("unknown");
  const Icon = handheld ? SmartphoneIcon : MonitorIcon;
  return (
    <li className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
      <Icon className="size-5 shrink-0 text-muted-foreground" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium text-sm">
          <bdi>{name}</bdi>
          {session.current && <Badge variant="success">{t("current")}</Badge>}
        </p>
        <p className="flex flex-wrap gap-x-2 text-muted-foreground text-xs">
          <span>{t("seen", { when: age(unit, { count }) })}</span>
          {session.address && session.address !== "unknown" && <bdi dir="ltr">{session.address}</bdi>}
        </p>
      </div>
      {!session.current && (
        <Button
          variant="outline"
          size="sm"
          disabled={disabled}
          onClick={onEnd}
          aria-label={t("endOne", { name })}
        >
          {t("end")}
        </Button>
      )}
    </li>
  );
}
