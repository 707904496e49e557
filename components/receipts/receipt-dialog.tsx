"use client";

import { CheckIcon, PrinterIcon, RotateCwIcon, SettingsIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { SignedOutContext } from "@/components/accounts/session/session";
import { newIdempotencyKey } from "@/components/forms/idempotency-key";
import { ShopMark } from "@/components/layout/shop-mark";
import { Button } from "@/components/ui/button";
import { DialogHeader, OpenedDialog } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { cn, noteStyle } from "@/components/ui/utils";
import { type Answer, api, type ViewOf } from "@/lib/api/client";
import type { PaperWidth } from "@/lib/receipts/model/receipt";
import { receiptCalls } from "@/lib/receipts/names";
import { drawPaper, Paper, PRINTABLE_DOTS, TEXT_DOTS } from "./paper";
import { keptPrinter, printerKinds, printPicture } from "./printer";
import { PrinterPanel } from "./printer-panel";

type ShownReceipt = ViewOf<typeof receiptCalls.viewReceipt>;
type ReceiptProps = {
  movementId: string;
  session: string;
};

/** A movement's receipt and its printing. On a device with a printer, one that was never printed is printed right away. */
function useReceipt({ movementId, session }: ReceiptProps) {
  const t = useTranslations("receipts");
  const onSignedOut = useContext(SignedOutContext);
  // As it was printed last, or as it would be printed now; null while it is fetched.
  const [receipt, setReceipt] = useState<ShownReceipt | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [printer, setPrinter] = useState(keptPrinter);
  const paper = useRef<HTMLDivElement>(null);
  // The key is kept until the paper is printed. If a print failed, the next one uses the same key and is not a copy.
  const key = useRef<string | null>(null);

  const take = (answer: Answer<ShownReceipt>): ShownReceipt | null => {
    if (answer.kind === "ok") {
      // On the page before it is drawn or printed.
      flushSync(() => setReceipt(answer.data));
      return answer.data;
    }
    if (answer.kind === "signedOut") onSignedOut(answer.ended);
    else setProblem(answer.kind === "lost" ? t("lost") : answer.message);
    return null;
  };

  const onPrinter = async ({ opensDrawer }: ShownReceipt): Promise<boolean> => {
    if (!paper.current || !printer) return false;
    const picture = await drawPaper(paper.current, PRINTABLE_DOTS[printer.width]);
    const failed = await printPicture(printer, picture, opensDrawer);
    if (failed) setProblem(t(`printer.${failed}`));
    return failed === null;
  };

  const print = async (by: "browser" | "printer") => {
    setBusy(true);
    setProblem(null);
    setSent(false);
    try {
      key.current ??= newIdempotencyKey();
      const idempotencyKey = key.current;
      const printed = take(await api(receiptCalls.printReceipt, { movementId, idempotencyKey }, { session }));
      if (!printed) return;
      if (by === "browser") window.print();
      else if (!(await onPrinter(printed))) return;
      key.current = null;
      setSent(by === "printer");
    } catch {
      // The code that draws or encodes did not load, or failed.
      setProblem(t("lost"));
    } finally {
      setBusy(false);
    }
  };

  const load = async () => {
    setProblem(null);
    take(await api(receiptCalls.viewReceipt, { movementId }, { session }));
  };
  const loadFirst = useEffectEvent(() => void load());
  useEffect(() => loadFirst(), []);
  // Not if the printer is being set up now, because it prints a test first.
  const [ready] = useState(printer !== null);
  const fresh = ready && receipt?.prints === 0 && key.current === null;
  const printFresh = useEffectEvent(() => void print("printer"));
  useEffect(() => {
    if (fresh) printFresh();
  }, [fresh]);

  const width = printer?.width ?? receipt?.paperWidth ?? 80;
  const canSetUp = printerKinds().length > 0;
  return { receipt, problem, busy, sent, printer, setPrinter, canSetUp, width, paper, load, print };
}

const MM_OF_PIXEL = 25.4 / 96;
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

/** While it is on the page, printing prints its content alone, on paper `width` mm wide and as long as the content. */
function PrintSheet({ width, children }: { width: number; children: ReactNode }) {
  const [sheet, setSheet] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    if (!sheet) return;
    // A sheet made by script: the content security policy lets no style element in without its nonce.
    const style = new CSSStyleSheet();
    document.adoptedStyleSheets.push(style);
    const resize = () => style.replaceSync(rules(width, Math.ceil(sheet.offsetHeight * MM_OF_PIXEL) + END));
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

/** The paper leaves out the shop's name if the head above it has it. */
const NAMED_ABOVE = "[&_[data-title]]:hidden";

const MARGIN_EM = 4 / 3;

/** The size of the text on the screen: that of the paper, or smaller where the whole width would not be seen. */
const shownSize = (width: PaperWidth) =>
  `min(3mm, ${100 / (PRINTABLE_DOTS[width] / TEXT_DOTS + 2 * MARGIN_EM)}cqi)`;

/** The head of a receipt in colours: the shop's note with its logo and its names. A printer of rolls has no colours. */
function ReceiptHead({ receipt: { merchant, logoUrl = null, note, lines } }: { receipt: ShownReceipt }) {
  if (!note) return null;
  return (
    <div
      data-slot="receipt-head"
      className="mb-[0.6em] flex w-0 min-w-full items-center gap-[0.6em] bg-center bg-cover p-[0.6em] text-white [print-color-adjust:exact]"
      style={noteStyle(note)}
    >
      <ShopMark shop={{ name: merchant, logoUrl }} className="size-[3em]" />
      <div className="wrap-anywhere min-w-0 font-bold text-[1.2em] leading-[1.3]">
        {lines.map(
          (line) =>
            line.kind === "title" && (
              <bdi key={line.text} className="block">
                {line.text}
              </bdi>
            ),
        )}
      </div>
    </div>
  );
}

/** Shows a receipt as it will be on the paper, and prints it: on this device's printer, or with the browser. */
export function ReceiptDialog({ button, ...props }: ReceiptProps & { button: ReactNode }) {
  return (
    <OpenedDialog button={button} className="max-w-md landscape-phone:max-w-2xl">
      {(close) => <ReceiptView {...props} onDone={close} />}
    </OpenedDialog>
  );
}

function ReceiptView({ onDone, ...props }: ReceiptProps & { onDone: () => void }) {
  const t = useTranslations("receipts");
  const state = useReceipt(props);
  const { receipt, problem, printer, width, paper } = state;
  const [settingUp, setSettingUp] = useState(false);
  const coloured = receipt?.note !== undefined && !printer;
  if (settingUp && receipt) {
    return (
      <PrinterPanel
        printer={printer}
        receipt={receipt}
        onChange={state.setPrinter}
        onBack={() => setSettingUp(false)}
      />
    );
  }
  return (
    <div className="flex min-h-0 flex-col gap-5 landscape-phone:grid landscape-phone:grid-cols-[minmax(0,1fr)_16rem] landscape-phone:content-start landscape-phone:gap-x-5 landscape-phone:gap-y-3 landscape-phone:*:col-start-2">
      <DialogHeader
        title={t("title")}
        text={receipt && receipt.prints > 0 ? t("printedBefore", { count: receipt.prints }) : t("text")}
      />
      {receipt ? (
        <>
          <section
            aria-label={t("paper")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long receipt is scrolled with the keyboard
            tabIndex={0}
            className="landscape-phone:!col-start-1 flex [container-type:inline-size] min-h-40 justify-center overflow-auto rounded-lg bg-muted p-3 sm:p-4 landscape-phone:row-span-4 landscape-phone:row-start-1 landscape-phone:max-h-[calc(100dvh-3rem)]"
          >
            <div
              className={cn("h-fit shrink-0 bg-white py-[1em] shadow-card", coloured && NAMED_ABOVE)}
              style={{ fontSize: shownSize(width), paddingInline: `${MARGIN_EM}em` }}
            >
              {coloured && <ReceiptHead receipt={receipt} />}
              <Paper ref={paper} lines={receipt.lines} width={width} qrLabel={t("card")} textSize="1em" />
            </div>
          </section>
          <PrintSheet width={width}>
            <div className={receipt.note && NAMED_ABOVE} style={{ fontSize: "3mm" }}>
              <ReceiptHead receipt={receipt} />
              <Paper lines={receipt.lines} width={width} qrLabel={t("card")} />
            </div>
          </PrintSheet>
        </>
      ) : (
        !problem && (
          <div className="flex min-h-60 items-center justify-center" role="status" aria-label={t("loading")}>
            <Spinner />
          </div>
        )
      )}
      {problem && (
        <p role="alert" className="text-destructive-strong text-sm">
          {problem}
        </p>
      )}
      {receipt ? (
        <PrintButtons state={state} onSetUp={() => setSettingUp(true)} onDone={onDone} />
      ) : (
        problem && (
          <Button variant="outline" size="xl" onClick={state.load}>
            <RotateCwIcon aria-hidden /> {t("again")}
          </Button>
        )
      )}
    </div>
  );
}

type PrintProps = {
  state: ReturnType<typeof useReceipt>;
  onSetUp: () => void;
  onDone: () => void;
};

function PrintButtons({ state: { printer, busy, sent, canSetUp, print }, onSetUp, onDone }: PrintProps) {
  const t = useTranslations("receipts");
  const icon = busy ? <Spinner /> : <PrinterIcon aria-hidden />;
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex items-center gap-1.5 text-sm text-success-strong empty:hidden">
        {sent && (
          <>
            <CheckIcon className="size-4" aria-hidden /> {t("sent")}
          </>
        )}
      </p>
      {printer && (
        <Button size="xl" disabled={busy} onClick={() => print("printer")}>
          {icon}
          <span className="truncate">{t("byPrinter", { name: printer.name ?? t("printer.unnamed") })}</span>
        </Button>
      )}
      <Button
        size="xl"
        variant={printer ? "outline" : "default"}
        disabled={busy}
        onClick={() => print("browser")}
      >
        {printer ? null : icon}
        {t(printer ? "otherWay" : "byBrowser")}
      </Button>
      <div className="flex gap-2">
        {canSetUp && (
          <Button variant="ghost" className="flex-1" disabled={busy} onClick={onSetUp}>
            <SettingsIcon aria-hidden /> {t("printer.open")}
          </Button>
        )}
        <Button variant="ghost" className="flex-1" onClick={onDone}>
          {t("done")}
        </Button>
      </div>
    </div>
  );
}
