import { readMark } from "./mark";

/** The header by which Next tells the request of a server action from others. */
const ACTION_HEADER = "next-action";

/**
 * Adds the till proof to the requests of server actions. Next sends them by the global `fetch` and offers no
 * hook for their headers, so this function replaces `fetch`. Every other request passes unchanged. `tokenOf`
 * answers the session's public handle. Next encodes the body, so the till proof has no `bh`.
 */
export function signServerActions(tokenOf: () => string | null): void {
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    if (readMark() !== "paired" || !new Headers(init?.headers).has(ACTION_HEADER)) return send(input, init);
    const { proveAction } = await import("./prove-action");
    const url = new URL(input instanceof Request ? input.url : input, window.location.href);
    const headers = new Headers(init?.headers);
    const proof = await proveAction(url, tokenOf());
    if (proof) headers.set("DPoP", proof);
    return send(input, { ...init, headers });
  };
}
