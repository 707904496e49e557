import QRCode from "qrcode";
import { cn } from "@/components/ui/utils";

/** The white modules around a code. */
export const QUIET_ZONE = 2;

function draw(text: string) {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  // Each run of dark modules is a line: a page has the path twice, in its HTML and in its data.
  let path = "";
  for (let y = 0; y < modules.size; y++) {
    path += `M${QUIET_ZONE} ${y + QUIET_ZONE}.5`;
    for (let x = 0; x < modules.size; ) {
      const dark = modules.get(y, x);
      let run = 1;
      while (x + run < modules.size && modules.get(y, x + run) === dark) run++;
      path += dark ? `h${run}` : `m${run} 0`;
      x += run;
    }
  }
  return { side: modules.size + 2 * QUIET_ZONE, path };
}

/** A QR code of a text, dark on white in both themes so that every scanner reads it. Set its size with a class. */
export function QrImage({ text, label, className }: { text: string; label: string; className?: string }) {
  const { side, path } = draw(text);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className={cn("base:size-48 base:rounded-lg bg-white", className)}
    >
      <path d={path} stroke="#0f172a" />
    </svg>
  );
}
