"use client";

import { TabletSmartphoneIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { z } from "zod";
import { TitledCard } from "@/components/data/titled-card";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { api, mapAnswer, toResult } from "@/lib/api/client";
import { qarSchema } from "@/lib/domain/qar";
import { type ShiftView, tillCalls } from "@/lib/tills/names";
import { useTillSession } from "../device/cashier";
import { useOwnTill } from "../device/use-own-till";
import type { OwnTill } from "../sign-in/own-till";
import { CashField } from "./cash-field";
import { KeepForm } from "./keep-form";
import { RunningShift } from "./running-shift";
import { ShiftReportView } from "./shift-report";

const schema = z.object({ float: qarSchema });

/** Opens a shift with the cash that is in the drawer. */
function OpenShiftCard({
  handle,
  till,
  onOpened,
}: {
  /** The session's handle. */
  handle: string;
  till: OwnTill;
  onOpened: () => Promise<void>;
}) {
  const t = useTranslations("shiftDesk");
  return (
    <div className="mx-auto w-full max-w-lg">
      <TitledCard title={t("openTitle")} text={t("openText")}>
        <ActionForm
          schema={schema}
          defaultValues={{ float: "" }}
          action={async (input) => {
            const { float } = schema.parse(input);
            const answer = await api(tillCalls.openShift, { tillId: till.id, float }, { session: handle });
            // Somebody at this till was quicker: their shift is shown.
            const isOpen = answer.kind === "refused" && answer.code === "shift_open";
            return toResult(isOpen ? { kind: "ok", data: null } : mapAnswer(answer, () => null), t("lost"));
          }}
          onSuccess={onOpened}
        >
          <KeepForm name="open-shift" />
          <CashField notes name="float" label={t("float")} hint={t("floatHint")} />
          <SubmitButton size="xl">{t("open")}</SubmitButton>
        </ActionForm>
      </TitledCard>
    </div>
  );
}

/** The drawer of this till: open a shift, move cash, count, close. `handle` is of a session that a password opened. */
export function ShiftDesk({ handle }: { handle?: string }) {
  const t = useTranslations("shiftDesk");
  const session = useTillSession();
  const own = session?.cashier.handle ?? handle ?? "";
  const { state, refresh } = useOwnTill();
  const [closed, setClosed] = useState<ShiftView | null>(null);
  const onClosed = (shift: ShiftView) => {
    setClosed(shift);
    // The till's bar says that no shift is open any more.
    void refresh();
  };
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
  return <OpenShift key={till.shift.id} id={till.shift.id} handle={own} till={till} onClosed={onClosed} />;
}

function OpenShift({
  id,
  ...props
}: {
  id: string;
  handle: string;
  till: OwnTill;
  onClosed: (shift: ShiftView) => void;
}) {
  const { handle } = props;
  const t = useTranslations("shiftDesk");
  const [shift, setShift] = useState<ShiftView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = useCallback(async () => {
    const answer = toResult(await api(tillCalls.getShift, { id }, { session: handle }), t("lost"));
    setProblem(answer.ok ? null : answer.message);
    if (answer.ok) setShift(answer.data);
  }, [handle, id, t]);
  useEffect(() => void read(), [read]);
  if (shift) return <RunningShift {...props} shift={shift} onMoved={read} />;
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
