"use client";

import type { LucideIcon } from "lucide-react";
import { type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

/** A row's menu. While it is closed, no more than its button is rendered. */
export function RowMenu({
  label,
  button,
  onClosed,
  children,
}: {
  label: string;
  button?: Ref<HTMLButtonElement>;
  onClosed?: () => void;
  children: ReactNode;
}) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger ref={button} className="more" aria-label={label} />
      <DropdownMenuContent align="end" onCloseAutoFocus={onClosed}>
        {children}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

export type MenuAction = {
  /** Unique in its menu. */
  label: string;
  icon: LucideIcon;
  variant?: "destructive";
  dialog: (close: () => void) => ReactNode;
};

/** A row's menu whose entries open dialogs, open at first. Its button, called `label`, gets the focus back. */
export function ActionMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  const [opened, setOpened] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const had = useRef(false);
  useEffect(() => {
    // Called after the dialog has closed: until then it holds the focus, and it has no trigger to return the focus to.
    if (had.current && opened === null) button.current?.focus();
    had.current = opened !== null;
  }, [opened]);
  return (
    <>
      <RowMenu
        label={label}
        button={button}
        // The dialog opens once the menu has given the focus back.
        onClosed={() => {
          setOpened(wanted.current);
          wanted.current = null;
        }}
      >
        {actions.map(({ label: text, icon: Icon, variant }) => (
          <DropdownMenuItem
            key={text}
            variant={variant}
            onSelect={() => {
              wanted.current = text;
            }}
          >
            <Icon aria-hidden /> {text}
          </DropdownMenuItem>
        ))}
      </RowMenu>
      {actions.find((action) => action.label === opened)?.dialog(() => setOpened(null))}
    </>
  );
}
