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
const DOT_MM = 0.125;

const PAIRS = {
  label: "mt-[0.35em] text-[0.8em]",
  value: "font-semibold",
  figure: "my-[0.1em] font-bold text-[1.6em]",
  copy: "my-[0.35em] bg-black px-[0.5em] font-bold text-[1.3em] text-white",
} as const;

type PaperProps = {
  lines: readonly PaperLine[];
  width: PaperWidth;
  qrLabel: string;
  textSize?: string;
  ref?: Ref<HTMLDivElement>;
};

/** A receipt as on paper. Lengths are relative to `textSize`: one layout for the screen, the browser and a printer. */
export function Paper({ lines, width, qrLabel, textSize = `${TEXT_DOTS * DOT_MM}mm`, ref }: PaperProps) {
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

// A printer takes whole bytes of dots.
const BYTE = 8;

/** The lines into which the browser has broken a text, each with where it begins. */
function linesOf(node: Text) {
  const range = document.createRange();
  const lines: { text: string; left: number; top: number }[] = [];
  // A character without width, such as a mark that isolates a number, belongs to the line that it begins.
  let before = "";
  for (const { segment, index } of new Intl.Segmenter().segment(node.data)) {
    range.setStart(node, index);
    range.setEnd(node, index + segment.length);
    const [rect] = range.getClientRects();
    const line = lines.at(-1);
    if (rect && rect.width > 0 && (!line || Math.abs(rect.top - line.top) > rect.height / 2)) {
      lines.push({ text: before + segment, left: rect.left, top: rect.top });
      before = "";
    } else if (!line) {
      before += segment;
    } else {
      line.text += segment;
      if (rect && rect.width > 0) line.left = Math.min(line.left, rect.left);
    }
  }
  return lines;
}

function drawText(ctx: CanvasRenderingContext2D, node: Text, origin: DOMRect): void {
  if (!node.parentElement || node.data.trim() === "") return;
  const style = getComputedStyle(node.parentElement);
  ctx.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  ctx.fillStyle = style.color;
  // The canvas orders a line by it as the browser orders the element's.
  ctx.direction = style.direction === "rtl" ? "rtl" : "ltr";
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  for (const { text, left, top } of linesOf(node)) {
    const { fontBoundingBoxAscent } = ctx.measureText(text.trim());
    ctx.fillText(text.trim(), left - origin.left, top - origin.top + fontBoundingBoxAscent);
  }
}

function drawQr(ctx: CanvasRenderingContext2D, text: string, box: DOMRect, origin: DOMRect): void {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const size = Math.round(box.width / (modules.size + 2 * QUIET_ZONE));
  const start = Math.round(box.left - origin.left + (box.width - size * modules.size) / 2);
  const top = Math.round(box.top - origin.top + (box.height - size * modules.size) / 2);
  ctx.fillStyle = "#000";
  modules.data.forEach((dark, index) => {
    if (!dark) return;
    const column = index % modules.size;
    ctx.fillRect(start + column * size, top + Math.floor(index / modules.size) * size, size, size);
  });
}

const isPainted = (colour: string) => colour !== "transparent" && !/^rgba\(.*,\s*0\)$/.test(colour);

function drawElement(ctx: CanvasRenderingContext2D, element: Element, origin: DOMRect): void {
  const box = element.getBoundingClientRect();
  const { backgroundColor } = getComputedStyle(element);
  if (isPainted(backgroundColor)) {
    ctx.fillStyle = backgroundColor;
    const top = Math.round(box.top - origin.top);
    ctx.fillRect(
      Math.round(box.left - origin.left),
      top,
      Math.round(box.width),
      Math.max(1, Math.round(box.bottom - origin.top) - top),
    );
  }
  if (element instanceof HTMLElement && element.dataset.qr) {
    drawQr(ctx, element.dataset.qr, box, origin);
    return;
  }
  for (const child of element.childNodes) {
    if (child instanceof Element) drawElement(ctx, child, origin);
    else if (child instanceof Text) drawText(ctx, child, origin);
  }
}

/** Draws a paper `dots` wide. The browser lays it out and shapes its text; each line is drawn where it put it. */
export async function drawPaper(paper: HTMLElement, dots: number): Promise<HTMLCanvasElement> {
  const copy = paper.cloneNode(true) as HTMLElement;
  Object.assign(copy.style, {
    position: "fixed",
    insetBlockStart: "0",
    insetInlineStart: "-10000px",
    fontSize: `${TEXT_DOTS}px`,
    width: `${dots}px`,
  });
  copy.ariaHidden = "true";
  document.body.append(copy);
  try {
    await document.fonts.ready;
    const origin = copy.getBoundingClientRect();
    const canvas = document.createElement("canvas");
    canvas.width = dots;
    canvas.height = Math.ceil(origin.height / BYTE) * BYTE;
    const ctx = canvas.getContext("2d", { willReadFrequently: true });
    if (!ctx) throw new Error("this browser has no canvas");
    ctx.fillStyle = "#fff";
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    drawElement(ctx, copy, origin);
    return canvas;
  } finally {
    copy.remove();
  }
}
