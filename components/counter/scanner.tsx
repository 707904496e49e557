"use client";

import { CameraIcon, CameraOffIcon, FlashlightIcon, FlashlightOffIcon, SwitchCameraIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";
import { qrDetector } from "./decoder";
import { PhotoButton, SCANNER_ID } from "./scan-button";

type Instead = "search" | "code" | "release";

/** A QR reader: the camera while `active`, or a photo. It reports the same text again only after a pause. */
export function Scanner({
  active,
  onActive,
  onText,
  busy,
  instead = "search",
}: {
  active: boolean;
  onActive: (active: boolean) => void;
  onText: (text: string) => void;
  busy: boolean;
  /** The alternatives if the camera gives no picture: search for the customer, e-mail a code, or wait for the end of a hold. */
  instead?: Instead;
}) {
  const t = useTranslations("counter.scanner");
  const video = useRef<HTMLVideoElement>(null);
  const onRead = useWithoutRepeats(onText, active && !busy);
  const camera = useCamera(video, active && !busy, onRead);
  const dark = camera.state === "live" || camera.state === "starting";
  const failed = !dark && camera.state !== "off";
  return (
    <section id={SCANNER_ID} tabIndex={-1} className="grid gap-2 rounded-xl" aria-label={t("label")}>
      <div
        className={cn(
          "relative w-full overflow-hidden rounded-xl border",
          dark ? "bg-slate-950 text-slate-50" : "bg-card",
          failed ? "min-h-14" : "aspect-4/3 max-h-[min(46dvh,18rem)] short:max-h-40",
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
          <p className="absolute inset-x-3 top-2 mx-auto w-fit rounded-md bg-slate-950/65 px-2 text-center font-medium text-sm">
            {t("aim")}
          </p>
        ) : (
          <CameraPlaceholder
            state={busy ? "starting" : camera.state}
            instead={instead}
            onStart={() => (active ? camera.restart() : onActive(true))}
          />
        )}
        {camera.state === "live" && <CameraButtons camera={camera} onStop={() => onActive(false)} />}
      </div>
      {failed && <PhotoButton onText={onText}>{t("photo")}</PhotoButton>}
    </section>
  );
}

function CameraButtons({ camera, onStop }: { camera: ReturnType<typeof useCamera>; onStop: () => void }) {
  const t = useTranslations("counter.scanner");
  const { cameras, cameraId, setCameraId, torch, toggleTorch } = camera;
  const next = cameras[(cameras.indexOf(cameraId ?? "") + 1) % cameras.length];
  return (
    <div className="absolute inset-x-3 bottom-3 flex justify-between gap-2">
      <Button variant="secondary" size="icon-xl" aria-label={t("stop")} onClick={onStop}>
        <CameraOffIcon aria-hidden />
      </Button>
      <div className="flex gap-2">
        {torch !== null && (
          <Button
            variant="secondary"
            size="icon-xl"
            aria-label={t("torch")}
            aria-pressed={torch}
            onClick={toggleTorch}
          >
            {torch ? <FlashlightOffIcon aria-hidden /> : <FlashlightIcon aria-hidden />}
          </Button>
        )}
        {cameras.length > 1 && next && (
          <Button
            variant="secondary"
            size="icon-xl"
            aria-label={t("switchCamera")}
            onClick={() => setCameraId(next)}
          >
            <SwitchCameraIcon aria-hidden />
          </Button>
        )}
      </div>
    </div>
  );
}

function CameraPlaceholder({
  state,
  instead,
  onStart,
}: {
  state: Exclude<CameraState, "live">;
  instead: Instead;
  onStart: () => void;
}) {
  const t = useTranslations("counter.scanner");
  if (state === "starting") {
    return (
      <div className="flex size-full items-center justify-center p-2">
        <Spinner className="size-10" />
      </div>
    );
  }
  return (
    <div className="flex size-full flex-col items-center justify-center gap-3 p-4 text-center">
      {state !== "off" && (
        <p role="alert" className="max-w-xs text-balance text-sm">
          {t(`${instead}.${state}`)}
        </p>
      )}
      <Button className="h-14 px-8 text-lg" onClick={onStart}>
        <CameraIcon className="size-6" aria-hidden />
        {state === "off" ? t("start") : t("again")}
      </Button>
    </div>
  );
}

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

type CameraState = "off" | "starting" | "live" | "denied" | "missing" | "failed";

// The pause between two scans, in milliseconds: fast enough for the user, easy on a phone's battery.
const SCAN_PAUSE_MS = 120;

function failureState(error: unknown): CameraState {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "missing" : "failed";
}

async function openCamera(cameraId: string | null): Promise<MediaStream> {
  if (!navigator.mediaDevices?.getUserMedia) throw new DOMException("no camera", "NotFoundError");
  const selector = cameraId ? { deviceId: { exact: cameraId } } : { facingMode: { ideal: "environment" } };
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { ...selector, width: { ideal: 1280 }, height: { ideal: 720 } },
  });
}

async function listCameras(): Promise<string[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind, deviceId }) => kind === "videoinput" && deviceId !== "")
    .map(({ deviceId }) => deviceId);
}

function scanVideo(video: HTMLVideoElement, onRead: (text: string) => void, onFail: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const scan = async () => {
    try {
      const detector = await qrDetector();
      const [found] =
        video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ? await detector.detect(video) : [];
      if (stopped) return;
      if (found?.rawValue) onRead(found.rawValue);
      timer = setTimeout(scan, SCAN_PAUSE_MS);
    } catch {
      if (!stopped) onFail();
    }
  };
  void scan();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** A camera that reads QR codes while `enabled`. While the page is hidden it is released. */
function useCamera(
  video: RefObject<HTMLVideoElement | null>,
  enabled: boolean,
  onRead: (text: string) => void,
) {
  const [state, setState] = useState<CameraState>("off");
  const [cameras, setCameras] = useState<string[]>([]);
  const [cameraId, setCameraId] = useState<string | null>(null);
  const [torch, setTorch] = useState<boolean | null>(null);
  const [attempt, setAttempt] = useState(0);
  const track = useRef<MediaStreamTrack | undefined>(undefined);
  const whenRead = useEffectEvent(onRead);
  const restart = () => setAttempt((count) => count + 1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the camera again
  useEffect(() => {
    if (!enabled) {
      setState("off");
      return;
    }
    const left = new AbortController();
    const { signal } = left;
    let stream: MediaStream | undefined;
    let stopScanning = () => {};
    const start = async () => {
      setState("starting");
      stream = await openCamera(cameraId);
      const element = video.current;
      if (signal.aborted || !element) return release();
      track.current = stream.getVideoTracks()[0];
      element.srcObject = stream;
      await element.play();
      if (signal.aborted) return;
      const able = track.current?.getCapabilities?.() as { torch?: boolean } | undefined;
      setTorch(able?.torch ? false : null);
      setCameras(await listCameras());
      setState("live");
      stopScanning = scanVideo(
        element,
        (text) => whenRead(text),
        () => setState("failed"),
      );
    };
    const release = () => {
      stopScanning();
      for (const streamTrack of stream?.getTracks() ?? []) streamTrack.stop();
      track.current = undefined;
    };
    const onVisibility = () => {
      if (document.visibilityState === "hidden") track.current?.stop();
      else if (track.current?.readyState === "ended") restart();
    };
    document.addEventListener("visibilitychange", onVisibility, { signal });
    start().catch((error: unknown) => {
      release();
      if (!signal.aborted) setState(failureState(error));
    });
    return () => {
      left.abort();
      release();
    };
  }, [enabled, cameraId, attempt, video]);

  const toggleTorch = async () => {
    const next = torch !== true;
    const constraint: MediaTrackConstraintSet & { torch?: boolean } = { torch: next };
    await track.current?.applyConstraints({ advanced: [constraint] }).then(
      () => setTorch(next),
      () => setTorch(null),
    );
  };

  return { state, cameras, cameraId, setCameraId, torch, toggleTorch, restart };
}
