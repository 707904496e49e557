import QRCode from "qrcode";
import { QUIET_ZONE } from "@/components/data/qr-image";
import { TEXT_DOTS } from "./paper";

/** Printers take whole bytes of dots. */
const BYTE = 8;

type Line = { text: string; left: number; top: number };

/** The lines into which the browser has broken a text, each with where it begins. */
function linesOf(node: Text): Line[] {
  const range = document.createRange();
  const lines: Line[] = [];
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

/** The QR code, its modules whole dots wide. */
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

/**
 * Draws a paper dot by dot, `dots` wide. The browser lays it out at that size and shapes its text, Arabic
 * too. Then each line is drawn at the place where the browser has put it.
 */
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
