// The drivers come without types. This is what the program uses of them.

type ReceiptPrinterDevice = {
  productName?: string;
  serialNumber?: string;
  vendorId: number | null;
  productId: number | null;
  /** Null where the driver cannot tell. */
  language: string | null;
};

declare class ReceiptPrinterDriver {
  constructor(options?: { baudRate?: number });
  connect(): Promise<void>;
  reconnect(printer: Omit<ReceiptPrinterDevice, "productName" | "language">): Promise<void>;
  disconnect(): Promise<void>;
  print(bytes: Uint8Array): Promise<void>;
  /** Of the serial driver alone: writes what print has queued, and takes in what the printer says. */
  run?(): Promise<void>;
  listen?(): Promise<boolean>;
  /** A listener of "disconnected" is called without a device. */
  addEventListener(
    name: "connected" | "disconnected",
    listener: (device: ReceiptPrinterDevice) => void,
  ): void;
}

declare module "@point-of-sale/webusb-receipt-printer" {
  export default ReceiptPrinterDriver;
}
declare module "@point-of-sale/webserial-receipt-printer" {
  export default ReceiptPrinterDriver;
}
