import { setTimeout as pause } from "node:timers/promises";

/** Asks every 50 ms until the answer is neither undefined nor false, and answers it. Throws after so many seconds. */
export async function until<T>(
  what: string,
  read: () => T | undefined | false | Promise<T | undefined | false>,
  seconds = 60,
): Promise<T> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(50)) {
    const found = await read();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`waited ${seconds} s in vain until ${what}`);
}
