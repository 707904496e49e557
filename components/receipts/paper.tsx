import QRCode from "qrcode";
import type { Ref } from "react";
import { QrImage, QUIET_ZONE } from "@/components/data/qr-image";
import { cn } from "@/components/ui/utils";
import type { PaperLine, PaperWidth } from "@/lib/receipts/model/receipt";

/** The printable dots of a roll at 203 dots an inch: 72 mm of 80, 48 mm of 58. */
export const PRINTABLE_DOTS: Record<PaperWidth, number> = { 58: 384, 80: 576 };
/** The size of the text in dots, of which every other length of the paper is a multiple. */
export const TEXT_DOTS = 24;
/** The dots of a module of a QR code: whole ones, or a scanner reads it badly. */
const MODULE_DOTS = 5;
/** A dot in millimetres. */
const DOT = 0.125;

const PAIRS = {
  label: "mt-[0.35em] text-[0.8em]",
  value: "font-semibold",
  figure: "my-[0.1em] font-bold text-[1.6em]",
  copy: "my-[0.35em] bg-black px-[0.5em] font-bold text-[1.3em] text-white",
} as const;

/**
 * A receipt as it is on the paper, black on white, as wide as its printable part. All lengths are relative to `textSize`,
 * so that the same layout serves the screen, the browser's printing and a printer's dots.
 */
export function Paper({
  lines,
  width,
  qrLabel,
  textSize = `${TEXT_DOTS * DOT}mm`,
  ref,
}: {
  lines: readonly PaperLine[];
  width: PaperWidth;
  /** The description of the QR code for screen readers. */
  qrLabel: string;
  textSize?: string;
  ref?: Ref<HTMLDivElement>;
}) {
  return (
    <div
      ref={ref}
      data-slot="paper"
      dir="ltr"
      className="bg-white text-black leading-[1.4] [overflow-wrap:anywhere] [print-color-adjust:exact]"
      style={{ fontSize: textSize, width: `${PRINTABLE_DOTS[width] / TEXT_DOTS}em` }}
    >
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a receipt never move
        <Line key={index} line={line} qrLabel={qrLabel} />
      ))}
    </div>
  );
}

function qrWidth(text: string): string {
  const { size } = QRCode.create(text, { errorCorrectionLevel: "M" }).modules;
  return `${((size + 2 * QUIET_ZONE) * MODULE_DOTS) / TEXT_DOTS}em`;
}

function Line({ line, qrLabel }: { line: PaperLine; qrLabel: string }) {
  switch (line.kind) {
    case "rule":
      return <div className="my-[0.6em] h-[0.09em] bg-black" />;
    case "qr":
      return (
        <div
          data-qr={line.text}
          className="mx-auto my-[0.4em] aspect-square"
          style={{ width: qrWidth(line.text) }}
        >
          <QrImage text={line.text} label={qrLabel} className="size-full rounded-none" />
        </div>
      );
    case "pair":
      return (
        <div className={cn("flex flex-wrap justify-between gap-x-[0.8em]", PAIRS[line.size])}>
          <span lang="en">{line.en}</span>
          <span lang="ar" dir="rtl" className="me-auto">
            {line.ar}
          </span>
        </div>
      );
    default:
      return (
        <div
          dir={line.kind === "code" ? "ltr" : "auto"}
          data-title={line.kind === "title" || undefined}
          className={cn(
            "text-balance text-center",
            line.kind === "title" && "mb-[0.15em] font-bold text-[1.4em] leading-[1.3]",
            line.kind === "text" && "font-semibold",
            line.kind === "code" && "text-[0.74em]",
          )}
        >
          {line.text}
        </div>
      );
  }
}
