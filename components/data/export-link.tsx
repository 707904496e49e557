import { DownloadIcon } from "lucide-react";
import type { ReactNode } from "react";
import { DownloadLink } from "@/components/accounts/session/download-link";
import { Button } from "@/components/ui/button";

type Query = Record<string, string | number | undefined>;

/** The button that downloads a list as a file, with the list's filters and order but without its paging. */
export function ExportLink({ path, query, children }: { path: string; query: Query; children: ReactNode }) {
  const { cursor: _cursor, limit: _limit, page: _page, ...filters } = query;
  const params = Object.entries(filters).flatMap(([key, value]) => (value ? [[key, String(value)]] : []));
  return (
    <Button variant="outline" asChild>
      <DownloadLink href={`${path}?${new URLSearchParams(params)}`}>
        <DownloadIcon aria-hidden /> {children}
      </DownloadLink>
    </Button>
  );
}
