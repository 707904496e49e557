import { readMark } from "./mark";

/** `fetch` for our own API, with this till's proof on a till. The parts that sign are loaded only there. */
export async function tillFetch(path: string, init: RequestInit = {}): Promise<Response> {
  if (readMark() !== "paired") return fetch(path, init);
  const { signedFetch } = await import("./signed-fetch");
  return signedFetch(path, init);
}
