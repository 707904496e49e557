"use client";

import { lazy, Suspense } from "react";

const RecoverForm = lazy(async () => ({ default: (await import("./recover-form")).RecoverForm }));

/** RecoverForm for pages that seldom show it. Its code is loaded only when it is shown. */
export function RecoverCard() {
  return (
    <Suspense>
      <RecoverForm />
    </Suspense>
  );
}
