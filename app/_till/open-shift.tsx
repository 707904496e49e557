"use client";

import { useTranslations } from "next-intl";
import { z } from "zod";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { qarSchema } from "@/lib/domain/qar";
import type { Caller } from "./api-call";
import { KeepForm } from "./keep-form";
import type { OwnTill } from "./own-till";
import { QarField } from "./qar-field";
import { startShift } from "./shift-api";

const schema = z.object({ float: qarSchema });

/** Opens a shift with the cash that is in the drawer. */
export function OpenShiftCard({
  caller,
  till,
  onOpened,
}: {
  caller: Caller;
  till: OwnTill;
  onOpened: () => Promise<void>;
}) {
  const t = useTranslations("shiftDesk");
  return (
    <Card className="max-w-lg">
      <CardHeader>
        <CardTitle>{t("openTitle")}</CardTitle>
        <CardDescription>{t("openText")}</CardDescription>
      </CardHeader>
      <CardContent>
        <ActionForm
          schema={schema}
          defaultValues={{ float: "" }}
          action={async (input) => {
            const answer = await startShift(caller, till.id, schema.parse(input).float);
            // Somebody at this till was quicker: their shift is shown.
            if (!answer.ok && answer.code === "shift_open") return { ok: true, data: null };
            return answer;
          }}
          onSuccess={onOpened}
        >
          <KeepForm name="open-shift" />
          <QarField name="float" label={t("float")} hint={t("floatHint")} />
          <SubmitButton size="lg">{t("open")}</SubmitButton>
        </ActionForm>
      </CardContent>
    </Card>
  );
}
