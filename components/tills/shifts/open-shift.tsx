"use client";

import { useTranslations } from "next-intl";
import { z } from "zod";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { api, mapAnswer, toResult } from "@/lib/api/client";
import { qarSchema } from "@/lib/tills/model/qar";
import { tillCalls } from "@/lib/tills/names";
import type { OwnTill } from "../sign-in/own-till";
import { KeepForm } from "./keep-form";
import { QarField } from "./qar-field";

const schema = z.object({ float: qarSchema });

/** Opens a shift with the cash that is in the drawer. */
export function OpenShiftCard({
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
            const { float } = schema.parse(input);
            const answer = await api(tillCalls.openShift, { tillId: till.id, float }, { session: handle });
            // Somebody at this till was quicker: their shift is shown.
            const isOpen = answer.kind === "refused" && answer.code === "shift_open";
            return toResult(isOpen ? { kind: "ok", data: null } : mapAnswer(answer, () => null), t("lost"));
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
