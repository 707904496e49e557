"use client";

import { ArrowDownToLineIcon, ArrowUpFromLineIcon, CalculatorIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { z } from "zod";
import { TitledCard } from "@/components/data/titled-card";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { FormDialog } from "@/components/forms/form-dialog";
import { QarField, TextareaField, TextField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { api, toResult } from "@/lib/api/client";
import { optionalQarSchema, qarSchema } from "@/lib/domain/qar";
import { type DrawerMoveKind, moveDrawerSchema } from "@/lib/tills/model/shift";
import { type ShiftView, tillCalls } from "@/lib/tills/names";
import type { OwnTill } from "../sign-in/own-till";
import { CashField } from "./cash-field";
import { isKept, KeepForm, KeepKeyedForm } from "./keep-form";
import { ShiftReportView } from "./shift-report";

const schema = z.object({
  cash: qarSchema,
  card: optionalQarSchema,
  bank: optionalQarSchema,
  other: optionalQarSchema,
  note: z.string().max(500, { error: "validation.tooLong" }),
});
/** The form of a shift's count, as KeepForm names it. */
const countForm = (shiftId: string) => `count.${shiftId}`;
/** The tenders that a cashier counts besides cash. Online payments do not pass a counter. */
const OTHERS = ["card", "bank", "other"] as const;

/** `handle` is of the session. */
type Props = { shift: ShiftView; handle: string; till: OwnTill; onClosed: (shift: ShiftView) => void };

/**
 * The blind count that closes a shift. The cashier counts the drawer before anybody sees the expected
 * amounts.
 */
function CountForm({ shift, handle, till, onClosed, onBack }: Props & { onBack: () => void }) {
  const t = useTranslations("shiftDesk");
  const tender = useTranslations("movements.tenders");
  return (
    <div className="mx-auto w-full max-w-lg lg:max-w-4xl">
      <TitledCard title={t("count")} text={t("countText")}>
        <ActionForm
          schema={schema}
          defaultValues={{ cash: "", card: "", bank: "", other: "", note: "" }}
          action={async (input) => {
            const { note, ...counted } = schema.parse(input);
            const { countWaiting } = await import("../offline/store");
            const [session, { id }] = [{ session: handle }, shift];
            const count = { id, counted, note, waiting: await countWaiting() };
            const answer = await api(tillCalls.closeShift, count, session);
            // Closed before, perhaps by this count without an answer: its report is shown.
            const isClosed = answer.kind === "refused" && answer.code === "shift_closed";
            return toResult(isClosed ? await api(tillCalls.getShift, { id }, session) : answer, t("lost"));
          }}
          onSuccess={onClosed}
          className="lg:grid lg:grid-cols-2 lg:items-start lg:gap-6 lg:[&>[role=alert]]:col-span-2"
        >
          <KeepForm name={countForm(shift.id)} />
          <CashField notes name="cash" label={t("cash")} hint={t("cashHint")} autoFocus />
          <div className="flex flex-col gap-4">
            {OTHERS.filter((one) => till.tenders.includes(one)).map((one) => (
              <QarField
                inputClassName="h-11"
                key={one}
                name={one}
                label={tender(one)}
                hint={t("otherHint")}
                optional
              />
            ))}
            <TextareaField name="note" label={t("note")} maxLength={500} optional />
            <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
              <Button type="button" variant="outline" size="lg" onClick={onBack}>
                {t("back")}
              </Button>
              <SubmitButton size="lg">{t("close")}</SubmitButton>
            </div>
          </div>
        </ActionForm>
      </TitledCard>
    </div>
  );
}

const moveSchema = z.object({ amount: qarSchema, reason: moveDrawerSchema.shape.reason, key: z.string() });

/**
 * An open shift: cash in and out, and the count that closes it. It shows no sum of money before the count.
 */
export function RunningShift({ onMoved, ...props }: Props & { onMoved: () => Promise<void> }) {
  const { shift, handle } = props;
  const t = useTranslations("shiftDesk");
  const [counting, setCounting] = useState(() => isKept(countForm(shift.id)));
  if (counting) return <CountForm {...props} onBack={() => setCounting(false)} />;
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
      <CashField name="amount" label={t("amount")} />
      <TextField name="reason" label={t("reason")} maxLength={500} autoComplete="off" />
    </FormDialog>
  );
}
