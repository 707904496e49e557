"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { qrDetector } from "./decoder";

export type CameraState = "off" | "starting" | "live" | "denied" | "missing" | "failed";
export type Camera = { id: string; label: string };

// The pause between two scans, in milliseconds: fast enough for the user, easy on a phone's battery.
const SCAN_PAUSE_MS = 120;

function failureState(error: unknown): CameraState {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "missing" : "failed";
}

function hasTorch(track: MediaStreamTrack | undefined): boolean {
  const capabilities = track?.getCapabilities?.() as
    | (MediaTrackCapabilities & { torch?: boolean })
    | undefined;
  return capabilities?.torch === true;
}

async function openCamera(cameraId: string | null): Promise<MediaStream> {
  if (!navigator.mediaDevices?.getUserMedia) throw new DOMException("no camera", "NotFoundError");
  const selector = cameraId ? { deviceId: { exact: cameraId } } : { facingMode: { ideal: "environment" } };
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { ...selector, width: { ideal: 1280 }, height: { ideal: 720 } },
  });
}

async function listCameras(): Promise<Camera[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter((device) => device.kind === "videoinput" && device.deviceId !== "")
    .map((device) => ({ id: device.deviceId, label: device.label }));
}

/** Scans the video repeatedly and reports each text. Answers a function that stops it. */
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

/** Releases the camera while the page is hidden, and opens it again when it becomes visible. */
function useReleaseWhileHidden(track: RefObject<MediaStreamTrack | undefined>, restart: () => void) {
  useEffect(() => {
    const onVisibility = () => {
      if (document.visibilityState === "hidden") track.current?.stop();
      else if (track.current?.readyState === "ended") restart();
    };
    document.addEventListener("visibilitychange", onVisibility);
    return () => document.removeEventListener("visibilitychange", onVisibility);
  }, [track, restart]);
}

/**
 * A camera that reads QR codes while `enabled`. It releases the camera when it is disabled, when the page is hidden and
 * on unmount.
 */
export function useCamera(
  video: RefObject<HTMLVideoElement | null>,
  enabled: boolean,
  onRead: (text: string) => void,
) {
  const [state, setState] = useState<CameraState>("off");
  const [cameras, setCameras] = useState<Camera[]>([]);
  const [cameraId, setCameraId] = useState<string | null>(null);
  const [torch, setTorch] = useState<boolean | null>(null);
  const [attempt, setAttempt] = useState(0);
  const track = useRef<MediaStreamTrack | undefined>(undefined);
  const latestOnRead = useRef(onRead);
  latestOnRead.current = onRead;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the camera again
  useEffect(() => {
    if (!enabled) {
      setState("off");
      return;
    }
    let cancelled = false;
    let stream: MediaStream | undefined;
    let stopScanning = () => {};
    const start = async () => {
      setState("starting");
      stream = await openCamera(cameraId);
      const element = video.current;
      if (cancelled || !element) return release();
      track.current = stream.getVideoTracks()[0];
      element.srcObject = stream;
      await element.play();
      if (cancelled) return;
      setTorch(hasTorch(track.current) ? false : null);
      setCameras(await listCameras());
      setState("live");
      stopScanning = scanVideo(
        element,
        (text) => latestOnRead.current(text),
        () => setState("failed"),
      );
    };
    const release = () => {
      stopScanning();
      for (const streamTrack of stream?.getTracks() ?? []) streamTrack.stop();
      track.current = undefined;
    };
    start().catch((error: unknown) => {
      release();
      if (!cancelled) setState(failureState(error));
    });
    return () => {
      cancelled = true;
      release();
    };
  }, [enabled, cameraId, attempt, video]);

  const restart = useCallback(() => setAttempt((count) => count + 1), []);
  useReleaseWhileHidden(track, restart);

  const toggleTorch = useCallback(async () => {
    const next = torch !== true;
    const constraint: MediaTrackConstraintSet & { torch?: boolean } = { torch: next };
    await track.current?.applyConstraints({ advanced: [constraint] }).then(
      () => setTorch(next),
      () => setTorch(null),
    );
  }, [torch]);

  return {
    state,
    cameras,
    cameraId,
    setCameraId,
    torch,
    toggleTorch,
    restart,
  };
}
