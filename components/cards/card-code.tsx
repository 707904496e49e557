"use client";

import { SunIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { LIVE_CODE_SECONDS } from "@/lib/cards/model/card";
import type { CardColours } from "@/lib/cards/model/card-colours";
import { colourStyle } from "./face";

type Code = {
  /** A data URL. */
  qr: string;
  /** When the server drew a live code (ISO 8601); null for the printed one. */
  liveAt: string | null;
};

/** The time that the live code has left, as a ring that shrinks. */
function Ring({ liveAt }: { liveAt: string }) {
  const [style] = useState(() => ({
    animationDuration: `${LIVE_CODE_SECONDS}s`,
    animationDelay: `-${(Date.parse(liveAt) / 1000) % LIVE_CODE_SECONDS}s`,
  }));
  return (
    <span className="code-ring" style={style}>
      <span />
      <span />
    </span>
  );
}

function Panel({ qr, liveAt, children }: Code & { children?: ReactNode }) {
  const t = useTranslations("card");
  return (
    <div className="code isolate">
      {liveAt && <Ring key={qr} liveAt={liveAt} />}
      {/* biome-ignore lint/performance/noImgElement: a data URL, drawn on the server */}
      <img src={qr} alt={t("qrAlt")} width={176} height={176} data-slot="qr" className="code-image" />
      {children}
    </div>
  );
}

/** The card's code on white; a tap shows it as large as the screen, with `about`: whose it is, and what is on it. */
export function CardCode({ colours, about, ...code }: Code & { colours: CardColours; about: ReactNode }) {
  const t = useTranslations("card");
  const [large, setLarge] = useState(false);
  return (
    <>
      <Panel {...code}>
        <button type="button" aria-label={t("code.show")} onClick={() => setLarge(true)} />
      </Panel>
      {large && (
        <CodeScreen {...code} colours={colours} onClose={() => setLarge(false)}>
          {about}
        </CodeScreen>
      )}
    </>
  );
}

/** Keeps the screen lit, where the browser can, until the code is put away. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | null> | undefined;
    const take = () => {
      if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
      // A phone that saves power may refuse.
      lock = navigator.wakeLock.request("screen").catch(() => null);
    };
    take();
    document.addEventListener("visibilitychange", take);
    return () => {
      document.removeEventListener("visibilitychange", take);
      void lock?.then((held) => held?.release());
    };
  }, []);
}

function CodeScreen({
  qr,
  liveAt,
  colours,
  onClose,
  children,
}: Code & { colours: CardColours; onClose: () => void; children: ReactNode }) {
  const t = useTranslations("card");
  const common = useTranslations("common");
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useWakeLock();
  return (
    <dialog
      ref={dialog}
      className="code-screen"
      style={colourStyle(colours)}
      aria-label={t("qrAlt")}
      onClose={onClose}
    >
      <Panel qr={qr} liveAt={liveAt} />
      <div className="code-words">
        {children}
        <p className="text-slate-700 text-sm">
          <SunIcon className="me-2 inline size-5 align-text-bottom" aria-hidden />
          {t("code.bright")}
        </p>
      </div>
      <Button size="xl" autoFocus onClick={() => dialog.current?.close()}>
        {common("close")}
      </Button>
    </dialog>
  );
}
