import { type FormEvent, useId } from "react";
import { FieldError } from "@/components/forms/field-error";
import { Button } from "@/components/ui/button";
import { EmailInput } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Spinner } from "@/components/ui/spinner";

/** The first step of a change of e-mail: the new address, to which a code is sent. */
export function NewAddressForm({
  label,
  sendLabel,
  email,
  onChange,
  code: { busy, problem, send },
}: {
  label: string;
  sendLabel: string;
  email: string;
  onChange: (email: string) => void;
  code: { busy: boolean; problem: string | null; send: () => Promise<void> };
}) {
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) void send();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <Label htmlFor={id}>{label}</Label>
      <EmailInput
        id={id}
        size="xl"
        value={email}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
      />
      {problem && <FieldError id={`${id}-problem`}>{problem}</FieldError>}
      <Button type="submit" size="xl" disabled={busy || email.trim() === ""}>
        {busy && <Spinner aria-hidden />}
        {sendLabel}
      </Button>
    </form>
  );
}
