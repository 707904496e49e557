"use client";

import { useEffect } from "react";
import { useFormContext } from "react-hook-form";
import { ATTEMPT_PREFIX, followKeep } from "@/components/accounts/session/stored-session";
import { newIdempotencyKey } from "@/components/forms/idempotency-key";

// Goes with all that a tab keeps of its cashier (clearTab); no user's attempt has this name.
const nameOf = (form: string) => `${ATTEMPT_PREFIX}.typed.${form}`;

/** Whether what was typed in the form with this name waits to be shown again. */
export function isKept(name: string): boolean {
  try {
    return sessionStorage.getItem(nameOf(name)) !== null;
  } catch {
    return false;
  }
}

/** In a form: keeps what was typed while the till asks who is there, for the same cashier, and shows it again. */
export function KeepForm({ name }: { name: string }) {
  const { reset, getValues } = useFormContext();
  useEffect(() => {
    try {
      const kept = sessionStorage.getItem(nameOf(name));
      sessionStorage.removeItem(nameOf(name));
      if (kept !== null) reset(JSON.parse(kept) as object, { keepDefaultValues: true });
    } catch {
      // Without storage the form begins empty.
    }
    return followKeep(() => sessionStorage.setItem(nameOf(name), JSON.stringify(getValues())));
  }, [name, reset, getValues]);
  return null;
}

/** As KeepForm, with the form's `key`: what was sent and not answered is repeated under the same one. */
export function KeepKeyedForm({ name }: { name: string }) {
  const { setValue, getValues } = useFormContext<{ key: string }>();
  useEffect(() => {
    if (getValues("key") === "") setValue("key", newIdempotencyKey());
  }, [setValue, getValues]);
  return <KeepForm name={name} />;
}
