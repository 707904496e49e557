"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { qrDetector } from "./decoder";

export type CameraState = "off" | "starting" | "live" | "denied" | "missing" | "failed";
export type Camera = { id: string; label: string };

// How long the reader rests between two looks, in milliseconds: quick to the eye, easy on a phone's battery.
const LOOK_EVERY = 120;

function stateOf(error: unknown): CameraState {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "missing" : "failed";
}

function hasTorch(track: MediaStreamTrack | undefined): boolean {
  const able = track?.getCapabilities?.() as (MediaTrackCapabilities & { torch?: boolean }) | undefined;
  return able?.torch === true;
}

async function openCamera(cameraId: string | null): Promise<MediaStream> {
  if (!navigator.mediaDevices?.getUserMedia) throw new DOMException("no camera", "NotFoundError");
  const which = cameraId ? { deviceId: { exact: cameraId } } : { facingMode: { ideal: "environment" } };
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { ...which, width: { ideal: 1280 }, height: { ideal: 720 } },
  });
}

async function listCameras(): Promise<Camera[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter((device) => device.kind === "videoinput" && device.deviceId !== "")
    .map((device) => ({ id: device.deviceId, label: device.label }));
}

/** Looks at the video again and again until told to stop; hands on each text that it reads. */
function watch(video: HTMLVideoElement, onRead: (text: string) => void, onFail: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const look = async () => {
    try {
      const detector = await qrDetector();
      const [found] =
        video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ? await detector.detect(video) : [];
      if (stopped) return;
      if (found?.rawValue) onRead(found.rawValue);
      timer = setTimeout(look, LOOK_EVERY);
    } catch {
      if (!stopped) onFail();
    }
  };
  void look();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/**
 * A camera that reads QR codes while `wanted`. It lets the camera go when it is not wanted, when the page is hidden
 * and when it leaves the page.
 */
export function useCamera(
  video: RefObject<HTMLVideoElement | null>,
  wanted: boolean,
  onRead: (text: string) => void,
) {
  const [state, setState] = useState<CameraState>("off");
  const [cameras, setCameras] = useState<Camera[]>([]);
  const [cameraId, setCameraId] = useState<string | null>(null);
  const [torch, setTorch] = useState<boolean | null>(null);
  const [attempt, setAttempt] = useState(0);
  const track = useRef<MediaStreamTrack | undefined>(undefined);
  const read = useRef(onRead);
  read.current = onRead;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the camera again
  useEffect(() => {
    if (!wanted) {
      setState("off");
      return;
    }
    let gone = false;
    let stream: MediaStream | undefined;
    let stopLooking = () => {};
    const start = async () => {
      setState("starting");
      stream = await openCamera(cameraId);
      const element = video.current;
      if (gone || !element) return release();
      track.current = stream.getVideoTracks()[0];
      element.srcObject = stream;
      await element.play();
      if (gone) return;
      setTorch(hasTorch(track.current) ? false : null);
      setCameras(await listCameras());
      setState("live");
      stopLooking = watch(
        element,
        (text) => read.current(text),
        () => setState("failed"),
      );
    };
    const release = () => {
      stopLooking();
      for (const each of stream?.getTracks() ?? []) each.stop();
      track.current = undefined;
    };
    start().catch((error: unknown) => {
      release();
      if (!gone) setState(stateOf(error));
    });
    return () => {
      gone = true;
      release();
    };
  }, [wanted, cameraId, attempt, video]);

  useEffect(() => {
    // A hidden page gives its camera back; coming back opens it again.
    const onVisible = () => {
      if (document.visibilityState === "hidden") track.current?.stop();
      else if (track.current?.readyState === "ended") setAttempt((count) => count + 1);
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, []);

  const toggleTorch = useCallback(async () => {
    const next = torch !== true;
    const wish: MediaTrackConstraintSet & { torch?: boolean } = { torch: next };
    await track.current?.applyConstraints({ advanced: [wish] }).then(
      () => setTorch(next),
      () => setTorch(null),
    );
  }, [torch]);

  return { state, cameras, cameraId, setCameraId, torch, toggleTorch, again: () => setAttempt((n) => n + 1) };
}
