"use client";

import { type CSSProperties, type ReactNode, useCallback, useState } from "react";
import type { CardColours } from "@/lib/domain/card-colours";

/**
 * The body of a card: the merchant's picture with `title` at its foot, and `children` below on the picture's colours. A
 * picture or a logo that fails to load is removed. Text is white on every background.
 */
export function CardFace({
  colours,
  imageUrl,
  logoUrl = null,
  off = false,
  title,
  className = "",
  children,
}: {
  colours: CardColours;
  imageUrl: string | null;
  logoUrl?: string | null;
  /** Under frost: the card can't be used. */
  off?: boolean;
  title: ReactNode;
  className?: string;
  children?: ReactNode;
}) {
  const [picture, image] = useDroppable();
  const [logo, logoImage] = useDroppable();
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
          <img {...image} src={imageUrl} alt="" className="face-image" />
        )}
        {logoUrl !== null && logo !== "dropped" && (
          // biome-ignore lint/performance/noImgElement: as the picture
          <img {...logoImage} src={logoUrl} alt="" className="face-logo" />
        )}
        <div className="face-title">{title}</div>
      </div>
      {children}
    </div>
  );
}

/** A picture that fails to load is removed: its state, and the attributes of its <img>. */
function useDroppable() {
  const [state, setState] = useState<"waiting" | "shown" | "dropped">("waiting");
  // The picture can load or fail before React attaches its event handlers.
  const ref = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete) setState(image.naturalWidth > 0 ? "shown" : "dropped");
  }, []);
  return [state, { ref, onLoad: () => setState("shown"), onError: () => setState("dropped") }] as const;
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
