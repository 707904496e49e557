"use client";

import dynamic from "next/dynamic";

/** RecoverForm for pages that seldom show it: its code comes with those that do. */
export const RecoverCard = dynamic(async () => (await import("./recover-form")).RecoverForm);
