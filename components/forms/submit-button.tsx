"use client";

import type { ReactNode } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { useFormBusy } from "./form-context";

/** Sends the surrounding ActionForm; turns while it is sending, and keeps the focus. */
export function SubmitButton({
  children,
  pendingLabel,
  disabled,
  ...props
}: Omit<ButtonProps, "type" | "asChild"> & { pendingLabel?: ReactNode }) {
  const busy = useFormBusy();
  return (
    <Button type="submit" disabled={disabled} aria-disabled={busy || undefined} {...props}>
      {busy && <Spinner />}
      {busy && pendingLabel ? pendingLabel : children}
    </Button>
  );
}
