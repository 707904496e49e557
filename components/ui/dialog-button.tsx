"use client";

import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./button";
import { useLoaded } from "./use-loaded";

/**
 * A button that loads the code of its dialog when it is first pressed. `dialog` renders what was loaded, open at first,
 * around the same button. `load` is a function of the module.
 */
export function DialogButton<T>({
  load,
  dialog,
  ...props
}: ButtonProps & { load: () => Promise<T>; dialog: (part: T, button: ReactNode) => ReactNode }) {
  const { part, want, warm } = useLoaded(load);
  if (part) return dialog(part, <Button {...props} />);
  return <Button aria-haspopup="dialog" {...props} onClick={want} onPointerEnter={warm} onFocus={warm} />;
}
