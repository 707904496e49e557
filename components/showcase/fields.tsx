"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useFormContext } from "react-hook-form";
import { z } from "zod";
import { CodeField } from "@/components/codes/code-field";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { RangePicker } from "@/components/data/range-picker";
import { SearchInput } from "@/components/data/search-input";
import { type Span, useSpanText } from "@/components/data/spans";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { CheckboxField } from "@/components/forms/checkbox-field";
import { SelectField } from "@/components/forms/choice-fields";
import {
  AmountField,
  BirthField,
  EmailField,
  PasswordField,
  PhoneField,
  TextareaField,
  TextField,
} from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { emailSchema, nameSchema, passwordSchema } from "@/lib/domain/account";
import { typedBirthSchema } from "@/lib/domain/card-holder";
import type { ActionResult } from "@/lib/domain/errors";
import { pointsSchema } from "@/lib/domain/movements";
import { phoneSchema } from "@/lib/domain/phone-schema";
import { Row, Section } from "./section";

const schema = z.object({
  name: nameSchema,
  email: emailSchema,
  phone: phoneSchema,
  password: passwordSchema,
  birth: typedBirthSchema,
  points: pointsSchema,
  branch: z.string().min(1, "validation.required"),
  note: z.string().max(500, "validation.tooLong"),
  consent: z.literal(true, "validation.required"),
});
const BLANK = {
  name: "",
  email: "",
  phone: "",
  password: "",
  birth: "",
  points: "",
  branch: "",
  note: "",
  consent: false as unknown as true,
};
const NOTHING: ActionResult<null> = { ok: true, data: null };
const done = async () => NOTHING;

/** The problem of each field of the second form. */
const PROBLEMS = {
  name: "validation.required",
  email: "validation.email",
  phone: "validation.phone.invalid",
  birth: "validation.date",
  points: "validation.points.whole",
  branch: "validation.branch.required",
  password: "validation.passwordShort",
  consent: "validation.consent",
};

/** Shows the form as it is after a submission that was refused. */
function Refused() {
  const { setError } = useFormContext();
  useEffect(() => {
    for (const [name, message] of Object.entries(PROBLEMS)) setError(name, { type: "server", message });
  }, [setError]);
  return null;
}

function Form({ refused }: { refused: boolean }) {
  const t = useTranslations("showcase");
  return (
    <ActionForm schema={schema} action={done} defaultValues={BLANK} onSuccess={() => undefined}>
      <TextField name="name" label={t("name")} autoComplete="off" />
      <EmailField name="email" label={t("email")} hint={t("hint")} autoComplete="off" />
      <PhoneField name="phone" label={t("phone")} autoComplete="off" />
      <PasswordField name="password" label={t("password")} autoComplete="off" />
      <BirthField name="birth" label={t("birth")} autoComplete="off" />
      <AmountField name="points" label={t("points")} />
      <SelectField
        name="branch"
        label={t("branch")}
        placeholder={t("choose")}
        options={[{ value: "pearl", label: t("branchName") }]}
      />
      <TextareaField name="note" label={t("note")} optional />
      <CheckboxField name="consent" label={t("consent")} />
      <SubmitButton className="self-start">{t("save")}</SubmitButton>
      {refused && <Refused />}
    </ActionForm>
  );
}

/** Every kind of field, as a form is opened and as it is after a refusal. */
export function Fields() {
  const t = useTranslations("showcase");
  const [term, setTerm] = useState("");
  const [span, setSpan] = useState<Span>({ from: "2026-11-01", to: "2026-11-21" });
  const text = useSpanText();
  return (
    <Section id="fields" title={t("fields")}>
      <div className="grid gap-6 md:grid-cols-2">
        <div>
          <p className="mb-3 text-muted-foreground text-sm">{t("atFirst")}</p>
          <Form refused={false} />
        </div>
        <div>
          <p className="mb-3 text-muted-foreground text-sm">{t("refused")}</p>
          <Form refused />
        </div>
      </div>
      <Row label={t("search")}>
        <SearchInput label={t("search")} current={term} onSearch={setTerm} className="w-full sm:w-72" />
      </Row>
      <Row label={t("days")}>
        <ClosedPicker span={span} onChoose={setSpan} label={text(span)} />
      </Row>
    </Section>
  );
}

/** The picker of days, which is open when it is first shown. */
function ClosedPicker({
  span,
  onChoose,
  label,
}: {
  span: Span;
  onChoose: (span: Span) => void;
  label: string;
}) {
  const [wanted, setWanted] = useState(false);
  const button = (
    <Button variant="outline" aria-haspopup="dialog" onClick={() => setWanted(true)}>
      <span suppressHydrationWarning>{label}</span>
    </Button>
  );
  if (!wanted) return button;
  return (
    <RangePicker span={span} onChoose={onChoose} required={false}>
      {button}
    </RangePicker>
  );
}

/** The field of a mailed code: empty, and with a wrong code. */
export function Codes() {
  const t = useTranslations("showcase");
  const refusal = { code: t("wrongCode") };
  const send = done;
  const wrong = async (): Promise<ActionResult<null>> => ({
    ok: false,
    code: "code_invalid",
    message: t("wrongCode"),
    fieldErrors: refusal,
  });
  const first = useMailedCode({ send, enter: done, onDone: () => undefined, autoSubmit: false });
  const second = useMailedCode({ send, enter: wrong, onDone: () => undefined });
  return (
    <Section id="codes" title={t("codes")}>
      <div className="grid gap-6 md:grid-cols-2">
        <CodeField code={first} label={t("code")} hint={t("codeHint")} />
        <CodeField code={{ ...second, problem: second.problem ?? t("wrongCode") }} label={t("codeRefused")} />
      </div>
    </Section>
  );
}
