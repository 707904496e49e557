"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { newIdempotencyKey } from "@/components/forms/idempotency-key";
import { type Answer, api, type ViewOf } from "@/lib/api/client";
import { receiptCalls } from "@/lib/receipts/names";
import { drawPaper } from "./draw-paper";
import { PRINTABLE_DOTS } from "./paper";
import { type KeptPrinter, keptPrinter, printerKinds, printPicture } from "./printer";

/** A receipt as the API answers it. */
export type ShownReceipt = ViewOf<typeof receiptCalls.viewReceipt>;
export type ReceiptState = ReturnType<typeof useReceipt>;

/** A movement's receipt and its printing. On a device with a printer, one that was never printed is printed right away. */
export function useReceipt(movementId: string, session: string, onSignedOut: (ended: boolean) => void) {
  const t = useTranslations("receipts");
  // As it was printed last, or as it would be printed now; null while it is fetched.
  const [receipt, setReceipt] = useState<ShownReceipt | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // It went to the printer.
  const [sent, setSent] = useState(false);
  const [printer, setPrinter] = useState(keptPrinter);
  const paper = useRef<HTMLDivElement>(null);
  // The key is kept until the paper is printed. If a print failed, the next one uses the same key and is not
  // a copy.
  const key = useRef<string | null>(null);

  const take = useCallback(
    (answer: Answer<ShownReceipt>): ShownReceipt | null => {
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
    async (to: KeptPrinter, { opensDrawer }: ShownReceipt): Promise<boolean> => {
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
        const idempotencyKey = key.current;
        const printed = take(
          await api(receiptCalls.printReceipt, { movementId, idempotencyKey }, { session }),
        );
        if (!printed) return;
        if (by === "browser") window.print();
        else if (!printer || !(await onPrinter(printer, printed))) return;
        key.current = null;
        setSent(by === "printer");
      } finally {
        setBusy(false);
      }
    },
    [session, movementId, onPrinter, printer, take],
  );

  const load = useCallback(async () => {
    setProblem(null);
    take(await api(receiptCalls.viewReceipt, { movementId }, { session }));
  }, [session, movementId, take]);

  useOnce(load);
  // Not if the printer is being set up now, because it prints a test first.
  const [ready] = useState(printer !== null);
  const fresh = ready && receipt?.prints === 0 && key.current === null;
  useEffect(() => {
    if (fresh) void print("printer");
  }, [fresh, print]);

  const width = printer?.width ?? receipt?.paperWidth ?? 80;
  // Whether this browser can reach a printer at all.
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
