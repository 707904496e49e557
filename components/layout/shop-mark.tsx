"use client";

import { useState } from "react";
import { initials } from "@/components/ui/avatar";
import { cn, noteStyle } from "@/components/ui/utils";
import type { NoteGround } from "@/lib/cards/model/card-colours";

export type Shop = { name: string; logoUrl: string | null };

/** The head of a page that a shop speaks in: its banknote with its logo and its name. */
export function ShopHead({ shop }: { shop: Shop & { note: NoteGround } }) {
  return (
    <div
      className="-mx-6 -mt-6 sm:-mx-8 sm:-mt-8 landscape-phone:-mx-4 landscape-phone:-mt-4 mb-6 flex min-h-24 items-center gap-3 rounded-t-2xl bg-center bg-cover px-6 py-4 text-white sm:px-8 landscape-phone:mb-2 landscape-phone:min-h-0 landscape-phone:px-4 landscape-phone:py-1.5"
      data-slot="shop-head"
      style={noteStyle(shop.note)}
    >
      <ShopMark shop={shop} className="size-12 landscape-phone:size-8" />
      <bdi className="wrap-anywhere font-semibold text-xl leading-tight landscape-phone:text-base">
        {shop.name}
      </bdi>
    </div>
  );
}

/** A shop's logo on white, or the first letters of its name where it has none or the logo fails to load. */
export function ShopMark({ shop: { name, logoUrl }, className }: { shop: Shop; className?: string }) {
  const [failed, setFailed] = useState<string | null>(null);
  const frame = cn(
    "grid base:size-9 shrink-0 place-items-center overflow-hidden base:rounded-lg border",
    className,
  );
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
