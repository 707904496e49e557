import { writeMark } from "./mark";

/**
 * Notes that the server no longer knows this till's key, and removes what it kept of its cashier and its customers. What
 * removes it is loaded then, since few tills ever need it.
 */
export async function markRetired(): Promise<void> {
  writeMark("retired");
  try {
    await (await import("../offline/forget")).forgetTill();
  } catch {
    // The counter of a retired till tries again when it opens.
  }
}
