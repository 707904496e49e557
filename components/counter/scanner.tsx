"use client";

import {
  CameraIcon,
  CameraOffIcon,
  FlashlightIcon,
  FlashlightOffIcon,
  ImageUpIcon,
  SwitchCameraIcon,
} from "lucide-react";
import { useTranslations } from "next-intl";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";
import { readPhoto } from "./decoder";
import { type CameraState, useCamera } from "./use-camera";

/** The scanner takes the focus while its camera looks for the next customer. */
export const SCANNER_ID = "counter-scanner";

type Instead = "search" | "code";

/**
 * A QR reader: the camera while `active`, or a photo. Reports the code's text, and the same text again only after a
 * pause, since the card stays in front of the camera.
 */
export function Scanner({
  active,
  onActive,
  onText,
  busy = false,
  instead = "search",
}: {
  active: boolean;
  onActive: (active: boolean) => void;
  onText: (text: string) => void;
  /** Whether a scanned code is being looked up. */
  busy?: boolean;
  /** The alternatives if the camera gives no picture: search for the customer, or e-mail a code. */
  instead?: Instead;
}) {
  const t = useTranslations("counter.scanner");
  const video = useRef<HTMLVideoElement>(null);
  const onRead = useWithoutRepeats(onText, active && !busy);
  const camera = useCamera(video, active && !busy, onRead);
  const next =
    camera.cameras[
      (camera.cameras.findIndex(({ id }) => id === camera.cameraId) + 1) % camera.cameras.length
    ];
  const dark = camera.state === "live" || camera.state === "starting";
  return (
    <section id={SCANNER_ID} tabIndex={-1} className="grid gap-2 rounded-xl" aria-label={t("label")}>
      <div
        className={cn(
          "relative w-full overflow-hidden rounded-xl border",
          dark ? "bg-slate-950 text-slate-50" : "border-primary/20 bg-primary-soft/70",
          active ? "aspect-4/3 max-h-[46dvh]" : "h-40",
        )}
      >
        <video
          ref={video}
          muted
          playsInline
          className={camera.state === "live" ? "size-full object-cover" : "hidden"}
          aria-label={t("picture")}
        />
        {camera.state === "live" ? (
          <Viewfinder hint={t("aim")} />
        ) : (
          <CameraPlaceholder
            state={camera.state}
            busy={busy}
            instead={instead}
            onStart={() => (active ? camera.restart() : onActive(true))}
          />
        )}
        {camera.state === "live" && (
          <div className="absolute inset-x-3 bottom-3 flex justify-between gap-2">
            <Button variant="secondary" size="icon-xl" aria-label={t("stop")} onClick={() => onActive(false)}>
              <CameraOffIcon aria-hidden />
            </Button>
            <div className="flex gap-2">
              {camera.torch !== null && (
                <Button
                  variant="secondary"
                  size="icon-xl"
                  aria-label={t("torch")}
                  aria-pressed={camera.torch}
                  onClick={camera.toggleTorch}
                >
                  {camera.torch ? <FlashlightOffIcon aria-hidden /> : <FlashlightIcon aria-hidden />}
                </Button>
              )}
              {camera.cameras.length > 1 && next && (
                <Button
                  variant="secondary"
                  size="icon-xl"
                  aria-label={t("switchCamera")}
                  onClick={() => camera.setCameraId(next.id)}
                >
                  <SwitchCameraIcon aria-hidden />
                </Button>
              )}
            </div>
          </div>
        )}
      </div>
      <PhotoButton onText={onText} />
    </section>
  );
}

function Viewfinder({ hint }: { hint: string }) {
  return (
    <div className="pointer-events-none absolute inset-0 flex items-center justify-center">
      <span className="aspect-square h-3/5 rounded-2xl border-4 border-white/90 shadow-[0_0_0_100vmax_rgb(2_6_23/0.45)]" />
      <p className="absolute inset-x-4 top-2 text-center font-medium text-sm">{hint}</p>
    </div>
  );
}

/** Shown instead of the camera's picture: a start button, or the reason why the picture is missing. */
function CameraPlaceholder({
  state,
  busy,
  instead,
  onStart,
}: {
  state: CameraState;
  busy: boolean;
  instead: Instead;
  onStart: () => void;
}) {
  const t = useTranslations("counter.scanner");
  if (busy || state === "starting") {
    return (
      <div className="flex size-full items-center justify-center">
        <Spinner className="size-10" />
      </div>
    );
  }
  return (
    <div className="flex size-full flex-col items-center justify-center gap-3 p-4 text-center">
      <Corners />
      {state !== "off" && (
        <p role="alert" className="max-w-xs text-balance text-sm">
          {t(`${instead}.${state === "live" ? "failed" : state}`)}
        </p>
      )}
      <Button className="h-14 px-8 text-lg" onClick={onStart}>
        <CameraIcon className="size-6" aria-hidden />
        {state === "off" ? t("start") : t("again")}
      </Button>
    </div>
  );
}

/** The four corners of a viewfinder. */
function Corners() {
  const corner = "pointer-events-none absolute size-6 border-primary/45";
  return (
    <span aria-hidden>
      <span className={cn(corner, "start-4 top-4 rounded-ss-lg border-s-2 border-t-2")} />
      <span className={cn(corner, "end-4 top-4 rounded-se-lg border-e-2 border-t-2")} />
      <span className={cn(corner, "start-4 bottom-4 rounded-es-lg border-s-2 border-b-2")} />
      <span className={cn(corner, "end-4 bottom-4 rounded-ee-lg border-e-2 border-b-2")} />
    </span>
  );
}

function PhotoButton({ onText }: { onText: (text: string) => void }) {
  const t = useTranslations("counter.scanner");
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    event.target.value = "";
    if (!file) return;
    setBusy(true);
    const text = await readPhoto(file).catch(() => null);
    setBusy(false);
    setProblem(text === null ? t("noCode") : null);
    if (text !== null) onText(text);
  };
  return (
    <div className="grid gap-1">
      <input
        ref={input}
        type="file"
        accept="image/*"
        className="sr-only"
        tabIndex={-1}
        aria-label={t("photo")}
        onChange={choose}
      />
      <Button variant="ghost" className="h-12" disabled={busy} onClick={() => input.current?.click()}>
        {busy ? <Spinner /> : <ImageUpIcon className="size-5" aria-hidden />}
        {t("photo")}
      </Button>
      {problem && (
        <p role="alert" className="text-center text-destructive-strong text-sm">
          {problem}
        </p>
      )}
    </div>
  );
}

// How long a text must be out of sight before it is reported again, in milliseconds.
const REPEAT_AFTER_MS = 2000;

/** Reports a text once, and again only after it was out of sight. The pause restarts with the camera. */
function useWithoutRepeats(onText: (text: string) => void, scanning: boolean): (text: string) => void {
  const last = useRef({ text: "", at: 0 });
  useEffect(() => {
    if (scanning) last.current.at = performance.now();
  }, [scanning]);
  return (text) => {
    const now = performance.now();
    const repeated = last.current.text === text && now - last.current.at < REPEAT_AFTER_MS;
    last.current = { text, at: now };
    if (!repeated) onText(text);
  };
}
