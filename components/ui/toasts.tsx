"use client";

import { useEffect, useState } from "react";
import type { toast } from "sonner";

type Part = typeof import("./sonner");

let announce: (show: typeof toast) => void = () => undefined;
const ready = new Promise<typeof toast>((resolve) => {
  announce = resolve;
});
const onReady = (show: typeof toast) => announce(show);

let want = () => {};

/** Shows notifications; the root layout has one. Its code is loaded when the page has nothing else to do. */
export function Toasts() {
  const [part, setPart] = useState<Part | null>(null);
  useEffect(() => {
    want = () => {
      import("./sonner").then(setPart, () => undefined);
    };
    // Safari has no idle callback.
    if (typeof requestIdleCallback !== "function") {
      const timer = setTimeout(want, 500);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(want, { timeout: 3_000 });
    return () => cancelIdleCallback(idle);
  }, []);
  return part && <part.Toaster onReady={onReady} />;
}

/** The function that shows a notification, as soon as the code is there. */
export function toaster(): Promise<typeof toast> {
  want();
  return ready;
}
