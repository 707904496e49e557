"use client";

import { type ComponentProps, useState } from "react";
import { useFormContext } from "react-hook-form";
import { controlClass, emailAttributes, Input, type InputProps } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { cn } from "@/components/ui/utils";
import { formatPhone } from "@/lib/domain/contact";
import { toLatinDigits } from "@/lib/domain/money";
import { formatNumericDate, toIsoDay } from "@/lib/domain/time";
import { Field, type FieldProps } from "./field";

type InputRest = Omit<InputProps, "name" | "id" | "className">;
export type TextFieldProps = FieldProps & InputRest & { inputClassName?: string };

/** Registers a text of the form. The first HTML has its value, which the form would set only when the page's scripts run. */
function useRegistered(name: string) {
  const { register, getValues } = useFormContext();
  const [defaultValue] = useState<string | undefined>(() => getValues(name));
  return Object.assign(register(name), { defaultValue });
}

/** The props of a text field in their parts: those of its Field, of its control, and the registered control's own. */
function useText(props: TextFieldProps) {
  const { name, label, hint, optional, hideLabel, className, inputClassName, ...input } = props;
  const field = { name, label, hint, optional, hideLabel, className };
  return { field, input, inputClassName, registered: useRegistered(name) };
}

/** A line of text. */
export function TextField(props: TextFieldProps) {
  const { field, input, inputClassName, registered } = useText(props);
  return (
    <Field {...field}>
      {(control) => <Input {...input} {...control} {...registered} className={inputClassName} />}
    </Field>
  );
}

/** An e-mail address: left to right in every language, without auto-capitalisation. */
export function EmailField(props: TextFieldProps) {
  return (
    <TextField {...emailAttributes} {...props} inputClassName={cn("rtl:text-end", props.inputClassName)} />
  );
}

/** A password with a show button. Set `autoComplete` to "current-password" or "new-password". */
export function PasswordField(props: TextFieldProps) {
  const { field, input, inputClassName, registered } = useText(props);
  return (
    <Field {...field}>
      {(control) => <PasswordInput {...input} {...control} {...registered} className={inputClassName} />}
    </Field>
  );
}

/** A Qatar phone number in any accepted spelling; on blur it is shown as +974 XXXX XXXX. */
export function PhoneField(props: TextFieldProps) {
  const { field, input, inputClassName, registered } = useText(props);
  const { setValue } = useFormContext();
  return (
    <Field {...field}>
      {(control) => (
        <Input
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          placeholder="+974 XXXX XXXX"
          dir="ltr"
          {...input}
          {...control}
          {...registered}
          onBlur={(event) => {
            const text = formatPhone(event.target.value);
            if (text !== event.target.value) setValue(field.name, text);
            return registered.onBlur(event);
          }}
          className={cn("tabular-nums rtl:text-end", inputClassName)}
        />
      )}
    </Field>
  );
}

// The slashes of withSlashes, or none.
const OWN_SLASHES = /^(\d*|\d\d\/(\d{0,3}|\d\d\/\d*))$/;

/** The digits of a day as they are typed, with slashes between: "2103" → "21/03". */
function withSlashes(text: string): string {
  const digits = toLatinDigits(text).replace(/\D/g, "").slice(0, 8);
  return [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].filter(Boolean).join("/");
}

/** A day as DD/MM/YYYY, typed with or without slashes. A date in another order (autofill) is turned on leaving. */
export function DateField(props: TextFieldProps) {
  const { field, input, inputClassName, registered } = useText(props);
  const { setValue } = useFormContext();
  return (
    <Field {...field}>
      {(control) => (
        <Input
          inputMode="numeric"
          placeholder="DD/MM/YYYY"
          dir="ltr"
          maxLength={14}
          {...input}
          {...control}
          {...registered}
          onChange={(event) => {
            const { value, selectionStart } = event.target;
            // Do not add slashes if the user types in the middle of the text, or typed separators
            // ("5/3/1990").
            if (OWN_SLASHES.test(toLatinDigits(value)) && selectionStart === value.length) {
              event.target.value = withSlashes(value);
            }
            return registered.onChange(event);
          }}
          onBlur={(event) => {
            const shown = formatNumericDate(toIsoDay(event.target.value));
            if (shown !== event.target.value) setValue(field.name, shown);
            return registered.onBlur(event);
          }}
          className={cn("tabular-nums rtl:text-end", inputClassName)}
        />
      )}
    </Field>
  );
}

/** A whole amount: number pad on phones, Arabic digits accepted. The value stays text for the schema to parse. */
export function AmountField(props: TextFieldProps) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="off"
      dir="ltr"
      {...props}
      inputClassName={cn("tabular-nums rtl:text-end", props.inputClassName)}
    />
  );
}

/** A multi-line text. */
export function TextareaField({
  name,
  label,
  hint,
  optional,
  ...textarea
}: Pick<FieldProps, "name" | "label" | "hint" | "optional"> & Omit<ComponentProps<"textarea">, "className">) {
  const registered = useRegistered(name);
  return (
    <Field name={name} label={label} hint={hint} optional={optional}>
      {(control) => (
        <textarea
          data-slot="textarea"
          className={cn(controlClass, "field-sizing-content min-h-20 py-2 landscape-phone:min-h-14")}
          {...textarea}
          {...control}
          {...registered}
        />
      )}
    </Field>
  );
}

/** An amount in QAR, with its unit inside. The value stays text for the schema to parse. */
export function QarField(props: TextFieldProps) {
  return <AmountField inputMode="decimal" maxLength={14} placeholder="0.00" {...props} />;
}
