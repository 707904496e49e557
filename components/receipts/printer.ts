import type { Language } from "@point-of-sale/receipt-printer-encoder";
import { readStored } from "@/components/accounts/session/stored-session";
import { PAPER_WIDTHS, type PaperWidth } from "@/lib/receipts/model/receipt";

export type PrinterKind = "usb" | "serial";
export type KeptPrinter = Pick<ReceiptPrinterDevice, "language" | "vendorId" | "productId"> & {
  kind: PrinterKind;
  name: string | null;
  width: PaperWidth;
  serialNumber: string | null;
};

const KEY = "receiptPrinter";
/** Serial printers draw a picture in seconds at this speed; those behind USB ignore it. */
const BAUD_RATE = 115_200;
// A printer without paper takes no more bytes, and never answers.
const PATIENCE_MS = 20_000;
const LANGUAGES: readonly Language[] = ["esc-pos", "star-prnt", "star-line"];
/** From which brightness a dot stays white. */
const THRESHOLD = 160;
const FEED_LINES = 4;

/** Which kinds of printer this browser can reach. */
export function printerKinds(): PrinterKind[] {
  return (["usb", "serial"] as const).filter((kind) => kind in navigator);
}

/** The printer that was set up on this device, or null. */
export function keptPrinter(): KeptPrinter | null {
  const kept = readStored<KeptPrinter>("localStorage", KEY);
  // Something else may have written it.
  return kept && printerKinds().includes(kept.kind) && PAPER_WIDTHS.includes(kept.width) ? kept : null;
}

export function keepPrinter(printer: KeptPrinter): void {
  localStorage.setItem(KEY, JSON.stringify(printer));
}

/** Fetches a driver. They exist for browsers alone: on the server the bundler must not look for them. */
async function driverClass(kind: PrinterKind): Promise<typeof ReceiptPrinterDriver> {
  if (typeof window !== "undefined") {
    if (kind === "usb") return (await import("@point-of-sale/webusb-receipt-printer")).default;
    return (await import("@point-of-sale/webserial-receipt-printer")).default;
  }
  throw new Error("printers are for browsers");
}

// The serial driver's print resolves before the port took the bytes, and its disconnect needs a listener.
function attend(driver: ReceiptPrinterDriver): void {
  const { run, listen } = driver;
  if (!run || !listen) return;
  const print = driver.print.bind(driver);
  let written: Promise<unknown> = Promise.resolve();
  driver.run = () => {
    const now = run.call(driver);
    written = Promise.all([written, now]);
    return now;
  };
  driver.print = async (bytes) => {
    await print(bytes);
    await written;
  };
  void listen.call(driver);
}

let open: { driver: ReceiptPrinterDriver; kind: PrinterKind } | null = null;

/** Fetches the code of the drivers, so that a later press does not wait for it. */
export const warmDrivers = (): Promise<unknown> =>
  Promise.all(printerKinds().map(driverClass)).catch(() => undefined);

/** Connects by `how`. Answers the printer, or null when none was chosen or it cannot be opened. */
async function connected(
  kind: PrinterKind,
  how: (driver: ReceiptPrinterDriver) => Promise<void>,
): Promise<ReceiptPrinterDevice | null> {
  const DriverOf = await driverClass(kind);
  const driver = new DriverOf({ baudRate: BAUD_RATE });
  const found = new Promise<ReceiptPrinterDevice>((resolve) => {
    driver.addEventListener("connected", resolve);
  });
  driver.addEventListener("disconnected", () => {
    if (open?.driver === driver) open = null;
  });
  // The driver reports the connection in a separate task, after its promise resolves.
  const none = how(driver)
    .catch(() => undefined)
    .then(() => new Promise<null>((resolve) => setTimeout(() => resolve(null), 0)))
    .then(() => null);
  const printer = await Promise.race([found, none]);
  if (printer) {
    attend(driver);
    open = { driver, kind };
  }
  return printer;
}

/** Asks the user for a printer and remembers it on this device. Null when none was chosen or it cannot be opened. */
export async function choosePrinter(kind: PrinterKind, width: PaperWidth): Promise<KeptPrinter | null> {
  await disconnect();
  const chosen = await connected(kind, (driver) => driver.connect());
  if (!chosen) return null;
  const { productName, language, vendorId, productId, serialNumber = null } = chosen;
  const name = productName || null;
  const printer: KeptPrinter = { kind, width, name, language, vendorId, productId, serialNumber };
  keepPrinter(printer);
  return printer;
}

async function disconnect(): Promise<void> {
  const before = open;
  open = null;
  // A printer that was pulled out cannot be closed.
  await before?.driver.disconnect().catch(() => undefined);
}

/** Forgets the printer of this device. */
export async function forgetPrinter(): Promise<void> {
  localStorage.removeItem(KEY);
  await disconnect();
}

/** Why nothing was printed: "away" (no answer), "unsupported" (its language has no pictures here). */
export type PrinterProblem = "away" | "unsupported";

async function driverOf(printer: KeptPrinter): Promise<ReceiptPrinterDriver | null> {
  if (open?.kind === printer.kind) return open.driver;
  const { kind } = printer;
  const device = { ...printer, serialNumber: printer.serialNumber || undefined };
  const again = await connected(kind, (driver) => driver.reconnect(device));
  // A serial port without an id is only found by asking for it.
  if (!again && kind === "serial") await connected(kind, (driver) => driver.connect());
  return open?.driver ?? null;
}

const within = <T>(work: Promise<T>): Promise<T | "late"> =>
  Promise.race([work, new Promise<"late">((resolve) => setTimeout(() => resolve("late"), PATIENCE_MS))]);

/** Prints a picture, whose width is a multiple of eight dots, and cuts the paper. Answers what went wrong. */
export async function printPicture(
  printer: KeptPrinter,
  picture: HTMLCanvasElement,
  drawer = false,
): Promise<PrinterProblem | null> {
  // A printer that does not say its language speaks ESC/POS.
  const language = LANGUAGES.find((known) => known === (printer.language ?? "esc-pos"));
  if (!language) return "unsupported";
  const { default: ReceiptPrinterEncoder } = await import("@point-of-sale/receipt-printer-encoder");
  const encoder = new ReceiptPrinterEncoder({ language, imageMode: "raster", feedBeforeCut: FEED_LINES });
  encoder.initialize();
  if (drawer) encoder.pulse();
  const { width, height } = picture;
  return sendBytes(printer, encoder.image(picture, width, height, "threshold", THRESHOLD).cut().encode());
}

/** Sends bytes in the printer's language. Answers what went wrong, or null once the printer has taken them all. */
export async function sendBytes(printer: KeptPrinter, bytes: Uint8Array): Promise<PrinterProblem | null> {
  const driver = await driverOf(printer);
  if (!driver) return "away";
  // The drivers log failures without details, so a printer that was unplugged is detected by its absence.
  const done = await within(driver.print(bytes)).catch(() => "lost" as const);
  // A driver whose port failed never writes again.
  if (done === "lost" && open?.driver === driver) open = null;
  return done === "late" || open?.driver !== driver ? "away" : null;
}
