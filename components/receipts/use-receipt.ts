"use client";

import { useTranslations } from "next-intl";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Answer } from "@/components/counter/types";
import { newIdempotencyKey } from "@/components/forms/idempotency-key";
import type { NoteGround } from "@/lib/cards/model/card-colours";
import type { PaperWidth, PrintedReceipt } from "@/lib/receipts/model/receipt";
import { drawPaper } from "./draw-paper";
import { PRINTABLE_DOTS } from "./paper";
import { type KeptPrinter, keptPrinter, printerKinds, printPicture } from "./printer";

/** The fields of a receipt that the paper needs. */
type PaperReceipt = Pick<
  PrintedReceipt,
  "id" | "prints" | "copy" | "paperWidth" | "opensDrawer" | "lines" | "merchant"
> & { logoUrl?: string | null; note?: NoteGround };

/** The calls of receipts, passed in so that components know neither routes nor wire names. */
export type ReceiptApi = {
  /** The receipt as the next print would be. */
  view: (movementId: string) => Promise<Answer<PaperReceipt>>;
  /** Counts a print. The same key is the same print. */
  print: (movementId: string, key: string) => Promise<Answer<PaperReceipt>>;
};

export type ReceiptState = {
  /** As it was printed last, or as it would be printed now; null while it is fetched. */
  receipt: PaperReceipt | null;
  problem: string | null;
  busy: boolean;
  /** It went to the printer. */
  sent: boolean;
  printer: KeptPrinter | null;
  setPrinter: (printer: KeptPrinter | null) => void;
  /** Whether this browser can reach a printer at all. */
  canSetUp: boolean;
  width: PaperWidth;
  paper: RefObject<HTMLDivElement | null>;
  load: () => Promise<void>;
  print: (by: "browser" | "printer") => Promise<void>;
};

/** A movement's receipt and its printing. On a device with a printer, one that was never printed is printed right away. */
export function useReceipt(
  movementId: string,
  api: ReceiptApi,
  onSignedOut: (ended: boolean) => void,
): ReceiptState {
  const t = useTranslations("receipts");
  const [receipt, setReceipt] = useState<PaperReceipt | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [printer, setPrinter] = useState(keptPrinter);
  const paper = useRef<HTMLDivElement>(null);
  // The key is kept until the paper is printed. If a print failed, the next one uses the same key and is not
  // a copy.
  const key = useRef<string | null>(null);

  const take = useCallback(
    (answer: Answer<PaperReceipt>): PaperReceipt | null => {
      if (answer.kind === "ok") {
        // On the page before it is drawn or printed.
        flushSync(() => setReceipt(answer.data));
        return answer.data;
      }
      if (answer.kind === "signedOut") onSignedOut(answer.ended);
      else setProblem(answer.kind === "lost" ? t("lost") : answer.message);
      return null;
    },
    [onSignedOut, t],
  );

  const onPrinter = useCallback(
    async (to: KeptPrinter, { opensDrawer }: PaperReceipt): Promise<boolean> => {
      if (!paper.current) return false;
      const picture = await drawPaper(paper.current, PRINTABLE_DOTS[to.width]);
      const failed = await printPicture(to, picture, { drawer: opensDrawer });
      if (failed) setProblem(t(`printer.${failed}`));
      return failed === null;
    },
    [t],
  );

  const print = useCallback(
    async (by: "browser" | "printer") => {
      setBusy(true);
      setProblem(null);
      setSent(false);
      try {
        key.current ??= newIdempotencyKey();
        const printed = take(await api.print(movementId, key.current));
        if (!printed) return;
        if (by === "browser") window.print();
        else if (!printer || !(await onPrinter(printer, printed))) return;
        key.current = null;
        setSent(by === "printer");
      } finally {
        setBusy(false);
      }
    },
    [api, movementId, onPrinter, printer, take],
  );

  const load = useCallback(async () => {
    setProblem(null);
    take(await api.view(movementId));
  }, [api, movementId, take]);

  useOnce(load);
  // Not if the printer is being set up now, because it prints a test first.
  const [ready] = useState(printer !== null);
  const fresh = ready && receipt?.prints === 0 && key.current === null;
  useEffect(() => {
    if (fresh) void print("printer");
  }, [fresh, print]);

  const width = printer?.width ?? receipt?.paperWidth ?? 80;
  const canSetUp = printerKinds().length > 0;
  return { receipt, problem, busy, sent, printer, setPrinter, canSetUp, width, paper, load, print };
}

/** Runs once for each opening of the dialog. */
function useOnce(work: () => Promise<void>): void {
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void work();
  }, [work]);
}
