"use client";

import type { ReactNode } from "react";
import { useLoaded } from "@/components/ui/use-loaded";

/** The button of a row's menu, whose code is loaded when it is first pressed. `menu` renders it around the button, open. */
export function RowMenu<T>({
  label,
  load,
  menu,
}: {
  label: string;
  load: () => Promise<T>;
  menu: (part: T, button: ReactNode) => ReactNode;
}) {
  const { part, want, warm } = useLoaded(load);
  if (part) return menu(part, <button type="button" className="more" aria-label={label} />);
  return (
    <button
      type="button"
      className="more"
      aria-label={label}
      aria-haspopup="menu"
      onClick={want}
      onPointerEnter={warm}
      onFocus={warm}
    />
  );
}
