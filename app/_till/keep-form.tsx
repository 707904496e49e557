"use client";

import { useEffect } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { followKeep } from "@/components/session/keep-typed";
import { ATTEMPT_PREFIX } from "@/components/session/stored-session";

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
export function KeepForm<I extends FieldValues>({ name, form }: { name: string; form: UseFormReturn<I> }) {
  useEffect(() => {
    try {
      const kept = sessionStorage.getItem(nameOf(name));
      sessionStorage.removeItem(nameOf(name));
      if (kept !== null) form.reset(JSON.parse(kept) as I, { keepDefaultValues: true });
    } catch {
      // Without storage the form begins empty.
    }
    return followKeep(() => sessionStorage.setItem(nameOf(name), JSON.stringify(form.getValues())));
  }, [name, form]);
  return null;
}
