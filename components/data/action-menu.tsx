"use client";

import type { LucideIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

export type MenuAction = {
  key: string;
  label: string;
  icon: LucideIcon;
  variant?: "destructive";
  /** The dialog that the entry opens, open at first. */
  dialog: (close: () => void) => ReactNode;
};

/** A row's menu whose entries open dialogs, open at first; `children` is its button, which gets the focus back. */
export function ActionMenu({ actions, children }: { actions: readonly MenuAction[]; children: ReactNode }) {
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
      <DropdownMenu defaultOpen>
        <DropdownMenuTrigger asChild ref={button}>
          {children}
        </DropdownMenuTrigger>
        <DropdownMenuContent
          align="end"
          // The dialog opens once the menu has given the focus back.
          onCloseAutoFocus={() => {
            setOpened(wanted.current);
            wanted.current = null;
          }}
        >
          {actions.map(({ key, label, icon: Icon, variant }) => (
            <DropdownMenuItem
              key={key}
              variant={variant}
              onSelect={() => {
                wanted.current = key;
              }}
            >
              <Icon aria-hidden /> {label}
            </DropdownMenuItem>
          ))}
        </DropdownMenuContent>
      </DropdownMenu>
      {actions.find(({ key }) => key === opened)?.dialog(() => setOpened(null))}
    </>
  );
}

/**
 * A secret that an entry of a row's menu made, shown once. The list is read again only after `seen`: one that fails to load
 * would take the only copy with it.
 */
export function useShownOnce<T>() {
  const router = useRouter();
  const [made, show] = useState<T | null>(null);
  const seen = () => {
    show(null);
    router.refresh();
  };
  return { made, show, seen };
}
