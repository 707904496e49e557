"use client";

import { useTranslations } from "next-intl";
import { z } from "zod";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { TextareaField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { api, toResult } from "@/lib/api/client";
import { optionalQarSchema, qarSchema } from "@/lib/tills/model/qar";
import type { ShiftView } from "@/lib/tills/model/shift";
import { tillCalls } from "@/lib/tills/names";
import type { OwnTill } from "../sign-in/own-till";
import { KeepForm } from "./keep-form";
import { QarField } from "./qar-field";

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
  handle,
  till,
  onClosed,
  onBack,
}: {
  shift: ShiftView;
  /** The session's handle. */
  handle: string;
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
            const { countWaiting } = await import("../offline/count-waiting");
            const [session, { id }] = [{ session: handle }, shift];
            const count = { id, counted, note, waiting: await countWaiting() };
            const answer = await api(tillCalls.closeShift, count, session);
            // Closed before, perhaps by this count without an answer: its report is shown.
            const isClosed = answer.kind === "refused" && answer.code === "shift_closed";
            return toResult(isClosed ? await api(tillCalls.getShift, { id }, session) : answer, t("lost"));
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
