import { serveBuilt, untilReady } from "@/scripts/lib/serve";
import { freePort } from "@/scripts/postgres/port";

/** The two ways in which a container serves the API. */
export const FORMS = ["own", "next"] as const;
export type Form = (typeof FORMS)[number];
export type BuiltServer = { form: Form; base: string; stop: () => Promise<unknown> };

/** Starts the built program on the settings of this process, in this form. It trusts one proxy. */
export async function startBuilt(form: Form): Promise<BuiltServer> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const env = { ...process.env, API_SERVER: form, TRUSTED_PROXIES: "1", LOG_LEVEL: "warn" };
  const server = serveBuilt({ env, port, host: "127.0.0.1", output: "keep" });
  try {
    await untilReady(base, server);
  } catch (error) {
    throw new Error(await server.stop().then(() => server.gone), { cause: error });
  }
  return { form, base, stop: async () => server.stop() };
}
