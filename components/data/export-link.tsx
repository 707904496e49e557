"use client";

import { DownloadIcon } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { confirmIdentityIfDue } from "@/components/accounts/session/step-up";
import { Button } from "@/components/ui/button";

type Query = Record<string, string | number | undefined>;

/** Downloads a list with its filters and order. When it is due, the user first confirms who they are. */
export function ExportLink({ path, query, children }: { path: string; query: Query; children: ReactNode }) {
  const { cursor: _cursor, limit: _limit, page: _page, ...filters } = query;
  const params = Object.entries(filters).flatMap(([key, value]) => (value ? [[key, String(value)]] : []));
  const href = `${path}?${new URLSearchParams(params)}`;
  const download = async (event: MouseEvent) => {
    event.preventDefault();
    // Without an answer the server decides.
    if (await confirmIdentityIfDue().catch(() => true)) window.location.assign(href);
  };
  return (
    <Button variant="outline" asChild>
      <a href={href} onClick={download}>
        <DownloadIcon aria-hidden /> {children}
      </a>
    </Button>
  );
}
