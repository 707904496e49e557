"use client";

import { TabletSmartphoneIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { api, toResult } from "@/lib/api/client";
import type { ShiftView } from "@/lib/tills/model/shift";
import { tillCalls } from "@/lib/tills/names";
import { useTillSession } from "../device/till-context";
import { useOwnTill } from "../device/use-own-till";
import { OpenShiftCard } from "./open-shift";
import { RunningShift } from "./running-shift";
import { ShiftReportView } from "./shift-report";

/** The drawer of this till: open a shift, move cash, count, close. `handle` is of a session that a password opened. */
export function ShiftDesk({ handle }: { handle?: string }) {
  const t = useTranslations("shiftDesk");
  const session = useTillSession();
  const own = session?.cashier.handle ?? handle ?? "";
  const { state, refresh } = useOwnTill();
  const [closed, setClosed] = useState<ShiftView | null>(null);
  if (closed) {
    return (
      <ShiftReportView
        shift={closed}
        more={
          <Button
            variant="outline"
            size="lg"
            onClick={() => {
              setClosed(null);
              void refresh();
            }}
          >
            {t("next")}
          </Button>
        }
      />
    );
  }
  if (state.kind === "loading" || (state.kind === "ready" && state.known === "asking")) {
    return <Skeleton className="h-64 rounded-xl" />;
  }
  if (state.kind !== "ready" || state.known === "lost") {
    const lost = state.kind === "ready" || state.kind === "lost";
    return (
      <Card className="py-0">
        <EmptyState
          icon={TabletSmartphoneIcon}
          title={lost ? t("lost") : t("noTill")}
          description={!lost && t("noTillText")}
          action={
            lost && (
              <Button size="lg" onClick={() => void refresh()}>
                {t("again")}
              </Button>
            )
          }
        />
      </Card>
    );
  }
  const { till } = state;
  if (!till.shift) return <OpenShiftCard handle={own} till={till} onOpened={refresh} />;
  return <OpenShift key={till.shift.id} id={till.shift.id} handle={own} till={till} onClosed={setClosed} />;
}

type OpenProps = {
  id: string;
  handle: string;
  till: Parameters<typeof RunningShift>[0]["till"];
  onClosed: (shift: ShiftView) => void;
};

function OpenShift({ id, handle, till, onClosed }: OpenProps) {
  const t = useTranslations("shiftDesk");
  const [shift, setShift] = useState<ShiftView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = useCallback(async () => {
    const answer = toResult(await api(tillCalls.getShift, { id }, { session: handle }), t("lost"));
    setProblem(answer.ok ? null : answer.message);
    if (answer.ok) setShift(answer.data);
  }, [handle, id, t]);
  useEffect(() => void read(), [read]);
  if (shift) return <RunningShift {...{ shift, handle, till, onClosed }} onMoved={read} />;
  if (problem === null) return <Skeleton className="h-64 rounded-xl" />;
  return (
    <Card className="py-0">
      <EmptyState
        title={problem}
        action={
          <Button size="lg" onClick={() => void read()}>
            {t("again")}
          </Button>
        }
      />
    </Card>
  );
}
