"use client";

import { type CSSProperties, type ReactNode, useCallback, useState } from "react";
import type { CardColours } from "@/lib/domain/card-colours";

/**
 * The body of a card: the merchant's picture with `title` at its foot, and `children` below on the picture's colours. A
 * picture that fails to load is removed. Text is white on every background.
 */
export function CardFace({
  colours,
  imageUrl,
  off = false,
  title,
  className = "",
  children,
}: {
  colours: CardColours;
  imageUrl: string | null;
  /** Under frost: the card can't be used. */
  off?: boolean;
  title: ReactNode;
  className?: string;
  children?: ReactNode;
}) {
  const [picture, setPicture] = useState<"waiting" | "shown" | "dropped">("waiting");
  // The picture can load or fail before React attaches its event handlers.
  const checkLoaded = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete) setPicture(image.naturalWidth > 0 ? "shown" : "dropped");
  }, []);
  return (
    <div
      data-slot="loyalty-card"
      data-picture={imageUrl === null ? "none" : picture}
      data-off={off || undefined}
      style={colourStyle(colours)}
      className={`face ${className}`}
    >
      <div className="face-picture">
        {imageUrl !== null && picture !== "dropped" && (
          // biome-ignore lint/performance/noImgElement: the picture comes from the merchant's own store and must be droppable
          <img
            ref={checkLoaded}
            src={imageUrl}
            alt=""
            className="face-image"
            onLoad={() => setPicture("shown")}
            onError={() => setPicture("dropped")}
          />
        )}
        <div className="face-title">{title}</div>
      </div>
      {children}
    </div>
  );
}

/** The colours as the variables that the classes of a card use. */
export function colourStyle({ from, via, to, accent }: CardColours): CSSProperties {
  return {
    "--card-from": from,
    "--card-via": via,
    "--card-to": to,
    "--card-accent": accent,
  } as CSSProperties;
}
