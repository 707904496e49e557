"use client";

import { type ComponentProps, type ComponentType, useState } from "react";
import { useFormContext } from "react-hook-form";
import { emailAttributes, Input, type InputProps } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { cn } from "@/components/ui/utils";
import { formatPhone } from "@/lib/domain/contact";
import { toLatinDigits } from "@/lib/domain/money";
import { formatNumericDate, toIsoDay } from "@/lib/domain/time";
import { Field, type FieldProps } from "./field";

type TextFieldProps = FieldProps &
  Omit<InputProps, "name" | "id" | "className"> & {
    inputClassName?: string;
    as?: ComponentType<InputProps>;
    /** Answers how the text is shown once the field is left. */
    tidy?: (text: string) => string;
  };

/** Registers a text of the form. The first HTML has its value, which the form would set only when the page's scripts run. */
function useRegistered(name: string) {
  const { register, getValues } = useFormContext();
  const [defaultValue] = useState<string | undefined>(() => getValues(name));
  return Object.assign(register(name), { defaultValue });
}

/** A line of text. */
export function TextField({
  name,
  label,
  hint,
  optional,
  className,
  inputClassName,
  as: Control = Input,
  tidy = (text) => text,
  ...input
}: TextFieldProps) {
  const { setValue } = useFormContext();
  const registered = useRegistered(name);
  return (
    <Field name={name} label={label} hint={hint} optional={optional} className={className}>
      {(control) => (
        <Control
          {...input}
          {...control}
          {...registered}
          onBlur={(event) => {
            const text = tidy(event.target.value);
            if (text !== event.target.value) setValue(name, text);
            return registered.onBlur(event);
          }}
          className={inputClassName}
        />
      )}
    </Field>
  );
}

/** An e-mail address: left to right in every language, without auto-capitalisation. */
export function EmailField(props: TextFieldProps) {
  return <TextField {...emailAttributes} inputClassName="rtl:text-end" {...props} />;
}

/** A password with a show button. Set `autoComplete` to "current-password" or "new-password". */
export function PasswordField(props: TextFieldProps) {
  return <TextField as={PasswordInput} {...props} />;
}

function DigitsField({ inputClassName, ...props }: TextFieldProps) {
  return <TextField dir="ltr" {...props} inputClassName={cn("tabular-nums rtl:text-end", inputClassName)} />;
}

/** A Qatar phone number in any accepted spelling; on blur it is shown as +974 XXXX XXXX. */
export function PhoneField(props: TextFieldProps) {
  return (
    <DigitsField
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      placeholder="+974 XXXX XXXX"
      tidy={formatPhone}
      {...props}
    />
  );
}

// The slashes of withSlashes, or none.
const OWN_SLASHES = /^(\d*|\d\d\/(\d{0,3}|\d\d\/\d*))$/;

// "2103" → "21/03"
function withSlashes(text: string): string {
  const digits = toLatinDigits(text).replace(/\D/g, "").slice(0, 8);
  return [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].filter(Boolean).join("/");
}

/** A day as DD/MM/YYYY, typed with or without slashes. A date in another order (autofill) is turned on leaving. */
export function DateField(props: TextFieldProps) {
  return (
    <DigitsField
      inputMode="numeric"
      placeholder="DD/MM/YYYY"
      maxLength={14}
      tidy={(text) => formatNumericDate(toIsoDay(text))}
      // Before the form reads the text, which it does on change.
      onInput={({ currentTarget: input }) => {
        // Do not add slashes if the user types in the middle of the text, or typed separators ("5/3/1990").
        if (OWN_SLASHES.test(toLatinDigits(input.value)) && input.selectionStart === input.value.length) {
          input.value = withSlashes(input.value);
        }
      }}
      {...props}
    />
  );
}

/** A whole amount: number pad on phones, Arabic digits accepted. The value stays text for the schema to parse. */
export function AmountField(props: TextFieldProps) {
  return <DigitsField inputMode="numeric" autoComplete="off" {...props} />;
}

/** An amount in QAR, with its unit inside. The value stays text for the schema to parse. */
export function QarField(props: TextFieldProps) {
  return <AmountField inputMode="decimal" maxLength={14} placeholder="0.00" {...props} />;
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
          className="control field-sizing-content min-h-20 py-2 landscape-phone:min-h-14"
          {...textarea}
          {...control}
          {...registered}
        />
      )}
    </Field>
  );
}
