"use client";

import { createContext, useContext, useEffect } from "react";

export type FormState = {
  busy: boolean;
  /** Tells the form that a field shows the errors of this path; answers how to take it back. */
  announce: (name: string) => () => void;
};

export const FormStateContext = createContext<FormState>({ busy: false, announce: () => () => {} });

/** Whether the surrounding ActionForm is sending. */
export function useFormBusy(): boolean {
  return useContext(FormStateContext).busy;
}

/** Marks the errors of a path as shown by its field, so that the form does not repeat them at its head. */
export function useAnnounce(name: string): void {
  const { announce } = useContext(FormStateContext);
  useEffect(() => announce(name), [announce, name]);
}
