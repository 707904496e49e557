import type { BarcodeDetector } from "barcode-detector/ponyfill";

let loading: Promise<BarcodeDetector> | undefined;

async function nativeDetector(): Promise<BarcodeDetector | null> {
  const Native = (globalThis as { BarcodeDetector?: typeof BarcodeDetector }).BarcodeDetector;
  try {
    if (!Native || !(await Native.getSupportedFormats()).includes("qr_code")) return null;
    return new Native({ formats: ["qr_code"] });
  } catch {
    // Some browsers define the interface without an implementation.
    return null;
  }
}

async function load(): Promise<BarcodeDetector> {
  const native = await nativeDetector();
  if (native) return native;
  const { BarcodeDetector: Ponyfill, prepareZXingModule } = await import("barcode-detector/ponyfill");
  await prepareZXingModule({
    overrides: {
      // The reader's WebAssembly is on this site, not on a CDN.
      locateFile: (path: string, prefix: string) =>
        path.endsWith(".wasm") ? `/scanner/${path}` : prefix + path,
    },
    fireImmediately: true,
  });
  return new Ponyfill({ formats: ["qr_code"] });
}

/** The QR reader: the browser's own if it has one, else zxing. It loads once; the next call retries a failed load. */
export function qrDetector(): Promise<BarcodeDetector> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** The text of the first QR in a photo, or null. */
export async function readPhoto(file: File): Promise<string | null> {
  const [detector, image] = await Promise.all([qrDetector(), createImageBitmap(file)]);
  try {
    const [found] = await detector.detect(image);
    return found?.rawValue ?? null;
  } finally {
    image.close();
  }
}
