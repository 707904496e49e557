import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { ownServer } from "@/lib/api/server/serve";
import { API_CALLS } from "@/lib/api/table";
import { serveBuilt, untilReady } from "@/scripts/lib/serve";
import { freePort } from "@/scripts/postgres/port";

/** The two ways in which a container serves the API. */
export const FORMS = ["own", "next"] as const;
type Form = (typeof FORMS)[number];
export type BuiltServer = { form: Form; base: string; stop: () => Promise<unknown> };

/** Starts the built program on the settings of this process, in this form. It trusts one proxy. */
export async function startBuilt(form: Form, settings: Record<string, string> = {}): Promise<BuiltServer> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const env = { ...process.env, API_SERVER: form, TRUSTED_PROXIES: "1", LOG_LEVEL: "warn", ...settings };
  const server = serveBuilt({ env, port, host: "127.0.0.1", output: "keep" });
  try {
    await untilReady(base, server);
  } catch (error) {
    throw new Error(await server.stop().then(() => server.gone), { cause: error });
  }
  return { form, base, stop: async () => server.stop() };
}

/** The own server in this process, with the handlers of the sources. */
export async function startHere(): Promise<BuiltServer> {
  const api = ownServer(API_CALLS);
  const server = http.createServer((request, response) => {
    if (api.take(request, response)) return;
    response.statusCode = 599;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { form: "own", base, stop };
}
