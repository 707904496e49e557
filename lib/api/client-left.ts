/** The client closed its connection, or took too long, before its request was whole. */
export class ClientLeft extends Error {
  override readonly name = "ClientLeft";

  constructor(cause?: unknown) {
    super("the client left before its request was whole", { cause });
  }
}

/**
 * Whether a client that left caused this error. It looks at the name, because the server's start and its routes are bundled
 * separately and each has its own class.
 */
export function isClientLeft(error: unknown): boolean {
  return error instanceof Error && error.name === "ClientLeft";
}
