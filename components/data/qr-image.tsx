import QRCode from "qrcode";
import { cn } from "@/components/ui/utils";

/** The white modules around a code. */
export const QUIET_ZONE = 2;

/** A QR code of a text, dark on white in both themes so that every scanner reads it. Set its size with a class. */
export function QrImage({
  text,
  label,
  className,
}: {
  text: string;
  /** The description for screen readers. */
  label: string;
  className?: string;
}) {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const side = modules.size + 2 * QUIET_ZONE;
  const path = Array.from(modules.data, (dark, index) => {
    if (!dark) return "";
    const x = (index % modules.size) + QUIET_ZONE;
    const y = Math.floor(index / modules.size) + QUIET_ZONE;
    return `M${x} ${y}h1v1h-1z`;
  }).join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className={cn("size-48 rounded-lg bg-white", className)}
    >
      <path d={path} fill="#0f172a" />
    </svg>
  );
}
