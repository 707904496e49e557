"use client";

import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";

/** Millimetres of a CSS pixel. */
const MM = 25.4 / 96;
// Below the last line, so that rounding never begins a second sheet.
const END = 6;

const rules = (width: number, height: number) => `
@page { size: ${width}mm ${height}mm; margin: 0 }
[data-print-sheet] { position: fixed; inset-block-start: 0; inset-inline-start: -10000px; visibility: hidden }
@media print {
  html, html body, html body[data-scroll-locked] {
    position: static !important; overflow: visible !important; min-height: 0 !important;
    margin: 0 !important; padding: 0 !important; background: #fff !important; color-scheme: light;
  }
  body > :not([data-print-sheet]) { display: none !important }
  body > [data-print-sheet] { position: static !important; visibility: visible !important; width: ${width}mm;
    display: flex; justify-content: center; padding-block-start: 3mm }
}`;

/**
 * While it is on the page, printing the page prints its content alone, on a sheet of paper `width` millimetres wide and as
 * long as the content. On the screen it shows nothing.
 */
export function PrintSheet({ width, children }: { width: number; children: ReactNode }) {
  const [sheet, setSheet] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    if (!sheet) return;
    // A sheet made by script: the content security policy lets no style element in without its nonce.
    const style = new CSSStyleSheet();
    document.adoptedStyleSheets.push(style);
    const resize = () => style.replaceSync(rules(width, Math.ceil(sheet.offsetHeight * MM) + END));
    resize();
    const size = new ResizeObserver(resize);
    size.observe(sheet);
    return () => {
      size.disconnect();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== style);
    };
  }, [sheet, width]);
  return createPortal(
    <div ref={setSheet} data-print-sheet aria-hidden>
      {children}
    </div>,
    document.body,
  );
}
