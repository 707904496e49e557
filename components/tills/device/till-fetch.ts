import { readMark } from "./mark";

/** `fetch` for our API. On a till it adds the till proof. Only a till loads the code that signs. */
export async function tillFetch(path: string, init: RequestInit = {}): Promise<Response> {
  if (readMark() !== "paired") return fetch(path, init);
  const { signedFetch } = await import("./signed-fetch");
  return signedFetch(path, init);
}
