"use client";

import type { ComponentProps, MouseEvent } from "react";
import { confirmIdentityIfDue } from "./step-up";

/** A link to a file that is an export: it first asks the user to confirm who they are, when that is due. */
export function DownloadLink({ href, children, ...props }: ComponentProps<"a"> & { href: string }) {
  const download = async (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault();
    // Without an answer the server decides.
    if (await confirmIdentityIfDue().catch(() => true)) window.location.assign(href);
  };
  return (
    <a {...props} href={href} onClick={download}>
      {children}
    </a>
  );
}
