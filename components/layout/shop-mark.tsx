"use client";

import { useState } from "react";
import { initials } from "@/components/ui/avatar";
import { cn } from "@/components/ui/utils";

/** A shop by its name and logo. */
export type Shop = { name: string; logoUrl: string | null };

/** A shop's logo on white, or the first letters of its name where it has none or the logo fails to load. */
export function ShopMark({ shop: { name, logoUrl }, className }: { shop: Shop; className?: string }) {
  const [failed, setFailed] = useState<string | null>(null);
  const frame = cn("grid size-9 shrink-0 place-items-center overflow-hidden rounded-lg border", className);
  if (logoUrl === null || failed === logoUrl) {
    return (
      <span
        aria-hidden
        className={cn(frame, "border-transparent bg-foreground font-semibold text-background text-sm")}
      >
        {initials(name)}
      </span>
    );
  }
  return (
    <span className={cn(frame, "bg-white")}>
      {/* biome-ignore lint/performance/noImgElement: the picture comes from the merchant's own store and must be droppable */}
      <img
        src={logoUrl}
        alt=""
        className="size-full object-contain p-0.5"
        onError={() => setFailed(logoUrl)}
      />
    </span>
  );
}
