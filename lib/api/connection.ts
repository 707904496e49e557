// The API client (client.ts) gets this from its page. It is a separate file, so that a page without calls loads only this.

export type Send = (path: string, init: RequestInit) => Promise<Response>;

type Connection = {
  /** The public handle of the browser's session, or null. */
  session: () => string | null;
  /** `fetch`; on a till it adds the till proof. */
  send: Send;
  /** Asks the user to confirm who they are. Answers whether they did. */
  confirm: () => Promise<boolean>;
};

/** `fetch` without a till proof. */
export const sendPlain: Send = (path, init) => fetch(path, init);

let connected: Connection = { session: () => null, send: sendPlain, confirm: async () => false };

/** Connects the client to its page: session, till proof and step-up. A service worker has none of them. */
export function connectClient(to: Connection): void {
  connected = to;
}

export const connection = (): Connection => connected;
