"use client";

import { useEffect, useState } from "react";
import type { toast } from "sonner";
import { whenQuiet } from "./when-quiet";

type Part = typeof import("./sonner");

let announce: (show: typeof toast) => void = () => undefined;
const ready = new Promise<typeof toast>((resolve) => {
  announce = resolve;
});
const onReady = (show: typeof toast) => announce(show);

let want = () => {};

/** Shows notifications; the root layout has one. Its code is loaded after the page. */
export function Toasts() {
  const [part, setPart] = useState<Part | null>(null);
  useEffect(() => {
    want = () => {
      import("./sonner").then(setPart, () => undefined);
    };
    return whenQuiet(() => want());
  }, []);
  return part && <part.Toaster onReady={onReady} />;
}

/** The function that shows a notification, as soon as the code is there. */
export function toaster(): Promise<typeof toast> {
  want();
  return ready;
}
