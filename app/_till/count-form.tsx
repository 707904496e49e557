"use client";

import { useTranslations } from "next-intl";
import { z } from "zod";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { TextareaField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { optionalQarSchema, qarSchema } from "@/lib/domain/qar";
import type { ShiftView } from "@/lib/domain/shift";
import type { Caller } from "./api-call";
import { KeepForm } from "./keep-form";
import type { OwnTill } from "./own-till";
import { QarField } from "./qar-field";
import { finishShift, readShift } from "./shift-api";

const schema = z.object({
  cash: qarSchema,
  card: optionalQarSchema,
  bank: optionalQarSchema,
  other: optionalQarSchema,
  note: z.string().max(500, { error: "validation.tooLong" }),
});
/** The form of a shift's count, as KeepForm names it. */
export const countForm = (shiftId: string) => `count.${shiftId}`;
/** The tenders that a cashier counts besides cash. Online payments do not pass a counter. */
const OTHERS = ["card", "bank", "other"] as const;

/**
 * The blind count that closes a shift. The cashier counts the drawer before anybody sees the expected
 * amounts.
 */
export function CountForm({
  shift,
  caller,
  till,
  onClosed,
  onBack,
}: {
  shift: ShiftView;
  caller: Caller;
  till: OwnTill;
  onClosed: (shift: ShiftView) => void;
  onBack: () => void;
}) {
  const t = useTranslations("shiftDesk");
  const tender = useTranslations("movements.tenders");
  return (
    <Card className="max-w-lg">
      <CardHeader>
        <CardTitle>{t("count")}</CardTitle>
        <CardDescription>{t("countText")}</CardDescription>
      </CardHeader>
      <CardContent>
        <ActionForm
          schema={schema}
          defaultValues={{ cash: "", card: "", bank: "", other: "", note: "" }}
          action={async (input) => {
            const { note, ...counted } = schema.parse(input);
            const { countWaiting } = await import("@/components/till-store/count-waiting");
            const answer = await finishShift(caller, shift.id, {
              counted,
              note,
              waiting: await countWaiting(),
            });
            // Closed before, perhaps by this count without an answer: its report is shown.
            return !answer.ok && answer.code === "shift_closed" ? readShift(caller, shift.id) : answer;
          }}
          onSuccess={onClosed}
        >
          <KeepForm name={countForm(shift.id)} />
          <QarField name="cash" label={t("cash")} hint={t("cashHint")} autoFocus />
          {OTHERS.filter((one) => till.tenders.includes(one)).map((one) => (
            <QarField key={one} name={one} label={tender(one)} hint={t("otherHint")} optional />
          ))}
          <TextareaField name="note" label={t("note")} maxLength={500} optional />
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button type="button" variant="outline" size="lg" onClick={onBack}>
              {t("back")}
            </Button>
            <SubmitButton size="lg">{t("close")}</SubmitButton>
          </div>
        </ActionForm>
      </CardContent>
    </Card>
  );
}
