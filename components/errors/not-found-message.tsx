"use client";

import { SearchXIcon } from "lucide-react";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";

/** A client component, since every page of a panel carries it, twice: its texts are all that is sent. */
export function NotFoundMessage({ title, text, home }: { title: string; text: string; home: string }) {
  return (
    <EmptyState
      icon={SearchXIcon}
      title={title}
      description={text}
      action={
        <LinkButton size="lg" href="/">
          {home}
        </LinkButton>
      }
    />
  );
}
