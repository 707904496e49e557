"use client";

import { type CSSProperties, type ReactNode, useCallback, useState } from "react";
import { cn } from "@/components/ui/utils";
import type { CardColours } from "@/lib/domain/card";

// A pattern of fine waves, like a banknote's, behind the content.
const WAVES = `url("data:image/svg+xml,${encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' width='240' height='120' fill='none' stroke='#fff' stroke-width='.7'>" +
    [0, 12, 24, 36, 48, 60, 72, 84, 96, 108]
      .map((y) => `<path d='M0 ${y + 8}c40-16 80-16 120 0s80 16 120 0'/>`)
      .join("") +
    "</svg>",
)}")`;

/**
 * The body of a card: the merchant's picture over the merchant's colours. A picture that fails to load is removed.
 * Text is white on every background.
 */
export function CardFace({
  colours,
  imageUrl,
  className,
  children,
}: {
  colours: CardColours;
  imageUrl: string | null;
  className?: string;
  children: ReactNode;
}) {
  const [picture, setPicture] = useState<"waiting" | "shown" | "dropped">("waiting");
  // The picture can load or fail before React attaches its event handlers.
  const checkLoaded = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete) setPicture(image.naturalWidth > 0 ? "shown" : "dropped");
  }, []);
  const shown = imageUrl !== null && picture === "shown";
  const style = {
    "--card-from": colours.from,
    "--card-via": colours.via,
    "--card-to": colours.to,
    "--card-glow": shown ? "black" : colours.via,
    "--card-accent": shown ? "rgb(255 255 255 / 0.92)" : colours.accent,
    backgroundImage:
      "radial-gradient(120% 90% at 12% 0%, color-mix(in oklab, var(--card-accent) 34%, transparent), transparent 55%)," +
      "linear-gradient(150deg, var(--card-from), var(--card-via) 48%, var(--card-to))",
  } as CSSProperties;
  return (
    <div
      data-slot="loyalty-card"
      data-picture={imageUrl === null ? "none" : picture}
      style={style}
      className={cn(
        "relative isolate overflow-clip rounded-[1.35rem] text-white shadow-[0_1px_1px_rgb(0_0_0/0.25),0_12px_24px_-10px_rgb(0_0_0/0.45),0_36px_60px_-28px_rgb(0_0_0/0.55)] ring-1 ring-black/10 dark:shadow-[0_1px_1px_rgb(0_0_0/0.5),0_24px_70px_-20px_color-mix(in_oklab,var(--card-glow)_70%,black)] dark:ring-white/10",
        className,
      )}
    >
      {imageUrl !== null && picture !== "dropped" && (
        // biome-ignore lint/performance/noImgElement: the picture comes from the merchant's own store and must be droppable
        <img
          ref={checkLoaded}
          src={imageUrl}
          alt=""
          className={cn(
            "absolute inset-0 -z-20 size-full object-cover transition-opacity duration-500",
            shown ? "opacity-100" : "opacity-0",
          )}
          onLoad={() => setPicture("shown")}
          onError={() => setPicture("dropped")}
        />
      )}
      {/* Darkens the picture behind the text, so that white text is readable on a white picture. */}
      {shown && (
        <div className="absolute inset-0 -z-10 bg-[linear-gradient(180deg,rgb(0_0_0/0.62),rgb(0_0_0/0.54)_22%,rgb(0_0_0/0.42)_38%,rgb(0_0_0/0.56)_58%,rgb(0_0_0/0.78))]" />
      )}
      <div
        className="absolute inset-0 -z-10 opacity-[0.09] mix-blend-screen"
        style={{ backgroundImage: WAVES, backgroundSize: "240px 120px" }}
      />
      <div className="pointer-events-none absolute inset-0 -z-10 rounded-[inherit] shadow-[inset_0_1px_0_rgb(255_255_255/0.35),inset_0_0_0_1px_rgb(255_255_255/0.1)]" />
      {children}
    </div>
  );
}
