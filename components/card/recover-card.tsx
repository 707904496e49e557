"use client";

import { type ComponentProps, lazy, Suspense } from "react";

const RecoverForm = lazy(async () => ({ default: (await import("./recover-form")).RecoverForm }));

/** RecoverForm for pages that seldom show it: its code comes with those that do. */
export function RecoverCard(props: ComponentProps<typeof RecoverForm>) {
  return (
    <Suspense>
      <RecoverForm {...props} />
    </Suspense>
  );
}
