"use client";

import { ArrowLeftIcon, CableIcon, PrinterIcon, Trash2Icon, UsbIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type Ref, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { DialogHeader } from "@/components/ui/dialog";
import { PAPER_WIDTHS, type PaperLine, type PaperWidth } from "@/lib/receipts/model/receipt";
import { drawPaper, Paper, PRINTABLE_DOTS } from "./paper";
import {
  choosePrinter,
  forgetPrinter,
  type KeptPrinter,
  keepPrinter,
  type PrinterKind,
  printerKinds,
  printPicture,
  warmDrivers,
} from "./printer";

type Note = { bad: boolean; text: string };

const ICONS = { usb: UsbIcon, serial: CableIcon } as const;

type PrinterPanelProps = {
  printer: KeptPrinter | null;
  receipt: { paperWidth: PaperWidth; lines: readonly PaperLine[] };
  onChange: (printer: KeptPrinter | null) => void;
  onBack: () => void;
};

/** Sets up the receipt printer of this device: connect, width of the paper, test print, forget. */
export function PrinterPanel({ printer, receipt, onChange, onBack }: PrinterPanelProps) {
  const t = useTranslations("receipts.printer");
  const receipts = useTranslations("receipts");
  const [busy, setBusy] = useState(false);
  const [note, setNote] = useState<Note | null>(null);
  const test = useRef<HTMLDivElement>(null);
  useEffect(() => void warmDrivers(), []);
  const run = async (work: () => Promise<Note | null>) => {
    setBusy(true);
    setNote(null);
    setNote(await work().finally(() => setBusy(false)));
  };
  const choose = (kind: PrinterKind) =>
    run(async () => {
      const chosen = await choosePrinter(kind, printer?.width ?? receipt.paperWidth);
      if (chosen) onChange(chosen);
      return chosen ? null : { bad: true, text: t("notChosen") };
    });
  const printTest = (to: KeptPrinter) =>
    run(async () => {
      if (!test.current) return null;
      const failed = await printPicture(to, await drawPaper(test.current, PRINTABLE_DOTS[to.width]));
      return failed ? { bad: true, text: t(failed) } : { bad: false, text: receipts("sent") };
    });
  const forget = () =>
    run(async () => {
      await forgetPrinter();
      onChange(null);
      return { bad: false, text: t("forgotten") };
    });
  const widen = (to: KeptPrinter, width: PaperWidth) => {
    keepPrinter({ ...to, width });
    onChange({ ...to, width });
  };
  return (
    <>
      <DialogHeader title={t("title")} text={t("text")} />
      <p className="rounded-lg bg-muted px-4 py-3 text-sm">
        {printer ? t("connected", { name: printer.name ?? t("unnamed") }) : t("none")}
      </p>
      {printer ? (
        <>
          <PaperWidths current={printer.width} choose={(width) => widen(printer, width)} />
          <Button size="lg" disabled={busy} onClick={() => printTest(printer)}>
            <PrinterIcon aria-hidden /> {t("test")}
          </Button>
          <Button variant="outline" disabled={busy} onClick={forget}>
            <Trash2Icon aria-hidden /> {t("forget")}
          </Button>
          <TestPaper paper={test} width={printer.width} lines={receipt.lines} />
        </>
      ) : (
        <PrinterKinds busy={busy} choose={choose} />
      )}
      <p role={note?.bad ? "alert" : "status"} className="text-sm empty:hidden">
        {note && <span className={note.bad ? "text-destructive-strong" : undefined}>{note.text}</span>}
      </p>
      <Button variant="ghost" onClick={onBack}>
        <ArrowLeftIcon className="rtl:-scale-x-100" aria-hidden /> {t("back")}
      </Button>
    </>
  );
}

function PaperWidths({ current, choose }: { current: PaperWidth; choose: (width: PaperWidth) => void }) {
  const t = useTranslations("receipts.printer");
  return (
    <fieldset>
      <legend className="mb-2 font-medium text-sm">{t("width")}</legend>
      <div className="grid grid-cols-2 gap-2">
        {PAPER_WIDTHS.map((width) => (
          <Button
            key={width}
            variant={current === width ? "soft" : "outline"}
            aria-pressed={current === width}
            onClick={() => choose(width)}
          >
            {t(`widths.${width}`)}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

function PrinterKinds({ busy, choose }: { busy: boolean; choose: (kind: PrinterKind) => void }) {
  const t = useTranslations("receipts.printer");
  return (
    <div className="grid gap-3 landscape-phone:grid-cols-2">
      {printerKinds().map((kind) => {
        const Icon = ICONS[kind];
        return (
          <Button key={kind} size="lg" variant="outline" disabled={busy} onClick={() => choose(kind)}>
            <Icon aria-hidden /> {t(kind)}
          </Button>
        );
      })}
    </div>
  );
}

/** It shows a receipt's labels and its QR code, but is not a receipt. */
function TestPaper({
  paper,
  ...of
}: {
  paper: Ref<HTMLDivElement>;
  width: PaperWidth;
  lines: readonly PaperLine[];
}) {
  const t = useTranslations("receipts.printer");
  const lines: PaperLine[] = [
    { kind: "title", text: t("test") },
    { kind: "text", text: t("testLine") },
    { kind: "rule" },
    ...of.lines.filter((line) => (line.kind === "pair" && line.size === "label") || line.kind === "qr"),
  ];
  return (
    <div className="sr-only" aria-hidden>
      <Paper ref={paper} lines={lines} width={of.width} qrLabel={t("test")} />
    </div>
  );
}
