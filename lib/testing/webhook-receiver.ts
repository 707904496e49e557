import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { EventBody } from "@/lib/webhooks/model";

/** A message as it arrived. */
type Received = { id: string; headers: Record<string, string>; body: string; event: EventBody };

type Answer = (received: Received, request: IncomingMessage, response: ServerResponse) => void;

/** A receiver of webhooks on this machine. It answers 200, or what `answer` says. Close it after the test. */
export async function webhookReceiver(answer?: Answer) {
  const received: Received[] = [];
  let secretOfEach: string | undefined;
  const forged: string[] = [];
  const check = ({ id, body, headers }: Received, secret: string) => {
    try {
      new Webhook(secret).verify(body, headers);
    } catch {
      forged.push(id);
    }
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const one = { id: headers["webhook-id"] ?? "", headers, body, event: JSON.parse(body) as EventBody };
    received.push(one);
    if (secretOfEach) check(one, secretOfEach);
    if (answer) answer(one, request, response);
    else response.end("thank you");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    received,
    /** Verifies each message from now on as it comes: a signature is good for five minutes. Collects those that are not. */
    verifyEach: (secret: string) => {
      secretOfEach = secret;
      return forged;
    },
    /** Verifies every message; throws for the first that does not. */
    verify: (secret: string) => {
      for (const { body, headers } of received) new Webhook(secret).verify(body, headers);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
