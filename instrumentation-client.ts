import "@/lib/domain/zod-without-eval";
import { confirmIdentity } from "@/components/accounts/session/step-up";
import { TOKEN_KEY } from "@/components/accounts/session/stored-session";
import { readMark } from "@/components/tills/device/mark";
import { connectClient } from "@/lib/api/connection";

// The first access to local storage takes 4 to 9 ms. A timer keeps it out of the long tasks of React's start.
setTimeout(() => {
  try {
    localStorage.getItem(TOKEN_KEY);
  } catch {
    // The browser keeps nothing.
  }
});

connectClient({
  session: () => localStorage.getItem(TOKEN_KEY),
  send: tillFetch,
  confirm: confirmIdentity,
});

/** `fetch` for our API. On a till it adds the till proof. Only a till loads the code that signs. */
async function tillFetch(path: string, init: RequestInit = {}): Promise<Response> {
  if (readMark() !== "paired") return fetch(path, init);
  const { signedFetch } = await import("@/components/tills/device/signed-fetch");
  return signedFetch(path, init);
}
