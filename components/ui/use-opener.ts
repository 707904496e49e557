import { useRef } from "react";

type Handlers = {
  onOpenAutoFocus?: ((event: Event) => void) | undefined;
  onCloseAutoFocus?: ((event: Event) => void) | undefined;
};

/**
 * Returns the focus to the element that had it before a dialog opened. Radix does this only for the dialog's own
 * trigger, and many dialogs are opened by something else.
 */
export function useOpener({ onOpenAutoFocus, onCloseAutoFocus }: Handlers = {}): Required<Handlers> {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event) => {
      opener.current = document.activeElement;
      onOpenAutoFocus?.(event);
    },
    onCloseAutoFocus: (event) => {
      onCloseAutoFocus?.(event);
      const { current } = opener;
      if (!event.defaultPrevented && current instanceof HTMLElement) current.focus();
    },
  };
}
