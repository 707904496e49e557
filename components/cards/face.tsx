"use client";

import { type CSSProperties, type ReactNode, useState } from "react";
import type { CardColours } from "@/lib/cards/model/card-colours";
import { waveTile } from "@/lib/cards/model/waves";

/** A card's picture with `title` at its foot, `children` below. A picture that fails to load is removed. */
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
  const [picture, image] = useDroppable(imageUrl);
  const [logo, logoImage] = useDroppable(logoUrl);
  return (
    <div
      data-slot="loyalty-card"
      data-picture={picture ? "shown" : "none"}
      data-off={off || undefined}
      style={{ ...colourStyle(colours), "--card-waves": waveTile(colours.waves) } as CSSProperties}
      className={`face ${className}`}
    >
      <div className="face-picture">
        {picture && (
          // biome-ignore lint/performance/noImgElement: the picture comes from the merchant's own store and must be droppable
          <img {...image} src={picture} alt="" fetchPriority="high" decoding="sync" className="face-image" />
        )}
        {logo && (
          // The first paint does not wait until the logo is decoded.
          // biome-ignore lint/performance/noImgElement: as the picture
          <img {...logoImage} src={logo} alt="" decoding="async" className="face-logo" />
        )}
        <div className="face-title">{title}</div>
      </div>
      {children}
    </div>
  );
}

/** The address of a picture until it fails to load, then null, and the attributes of its <img>. */
function useDroppable(url: string | null) {
  const [failed, setFailed] = useState<string | null>(null);
  const drop = () => setFailed(url);
  // The picture can fail before React attaches its event handlers.
  const ref = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0) drop();
  };
  return [url === failed ? null : url, { ref, onError: drop }] as const;
}

/** The colours as the variables that the classes of a card use. */
export function colourStyle({ from, via, to, accent }: Omit<CardColours, "waves">): CSSProperties {
  return {
    "--card-from": from,
    "--card-via": via,
    "--card-to": to,
    "--card-accent": accent,
  } as CSSProperties;
}
