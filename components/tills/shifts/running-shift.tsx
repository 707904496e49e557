"use client";

import { ArrowDownToLineIcon, ArrowUpFromLineIcon, CalculatorIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { z } from "zod";
import { FormDialog } from "@/components/forms/form-dialog";
import { TextField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { api, toResult } from "@/lib/api/client";
import { qarSchema } from "@/lib/tills/model/qar";
import { type DrawerMoveKind, moveDrawerSchema, type ShiftView } from "@/lib/tills/model/shift";
import { tillCalls } from "@/lib/tills/names";
import type { OwnTill } from "../sign-in/own-till";
import { CountForm, countForm } from "./count-form";
import { isKept, KeepKeyedForm } from "./keep-form";
import { QarField } from "./qar-field";
import { ShiftReportView } from "./shift-report";

const moveSchema = z.object({ amount: qarSchema, reason: moveDrawerSchema.shape.reason, key: z.string() });

type Props = { shift: ShiftView; handle: string; till: OwnTill; onClosed: (shift: ShiftView) => void };

/**
 * An open shift: cash in and out, and the count that closes it. It shows no sum of money before the count.
 */
export function RunningShift({ onMoved, ...props }: Props & { onMoved: () => Promise<void> }) {
  const { shift, handle, till, onClosed } = props;
  const t = useTranslations("shiftDesk");
  const [counting, setCounting] = useState(() => isKept(countForm(shift.id)));
  if (counting) return <CountForm {...{ shift, handle, till, onClosed }} onBack={() => setCounting(false)} />;
  const move = { handle, shiftId: shift.id, onMoved };
  return (
    <ShiftReportView
      shift={shift}
      more={
        <>
          <MoveDialog {...move} kind="pay_in" />
          <MoveDialog {...move} kind="pay_out" />
          <Button size="lg" className="max-sm:col-span-2" onClick={() => setCounting(true)}>
            <CalculatorIcon aria-hidden /> {t("count")}
          </Button>
        </>
      }
    />
  );
}

function MoveDialog({
  kind,
  handle,
  shiftId,
  onMoved,
}: {
  kind: DrawerMoveKind;
  handle: string;
  shiftId: string;
  onMoved: () => Promise<void>;
}) {
  const t = useTranslations("shiftDesk");
  const name = `${kind}.${shiftId}`;
  const [kept] = useState(() => isKept(name));
  const Icon = kind === "pay_in" ? ArrowDownToLineIcon : ArrowUpFromLineIcon;
  return (
    <FormDialog
      defaultOpen={kept}
      trigger={{
        size: "lg",
        children: (
          <>
            <Icon aria-hidden /> {t(`moves.${kind}.title`)}
          </>
        ),
      }}
      title={t(`moves.${kind}.title`)}
      description={t(`moves.${kind}.text`)}
      submit={{ children: t("record") }}
      schema={moveSchema}
      defaultValues={{ amount: "", reason: "", key: "" }}
      action={async (input) => {
        const { key: idempotencyKey, ...move } = moveSchema.parse(input);
        const moved = { id: shiftId, kind, ...move, idempotencyKey };
        return toResult(await api(tillCalls.moveDrawer, moved, { session: handle }), t("lost"));
      }}
      onDone={onMoved}
    >
      <KeepKeyedForm name={name} />
      <QarField name="amount" label={t("amount")} />
      <TextField name="reason" label={t("reason")} maxLength={500} autoComplete="off" />
    </FormDialog>
  );
}
