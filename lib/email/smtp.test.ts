import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import type { OutgoingEmail } from "./message";
import { smtpTransport } from "./transports";

const FROM = "Loyalty Wallet <no-reply@wallet.test>";
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type ReceivedMessage = { body: string; user: string | undefined; secure: boolean; connection: string };

async function server(
  options: SMTPServerOptions,
  delay = 0,
): Promise<{ host: string; received: ReceivedMessage[] }> {
  const received: ReceivedMessage[] = [];
  const listener = new SMTPServer({
    ...options,
    onAuth: ({ username, password }, _, done) =>
      password === "p@ss word" ? done(null, { user: username }) : done(new Error("no")),
    onData(stream, { user, secure, id }, done) {
      let body = "";
      stream.setEncoding("utf8").on("data", (part: string) => {
        body += part;
      });
      stream.on("end", () => {
        received.push({ body, user: user?.toString(), secure, connection: id });
        setTimeout(done, delay);
      });
    },
  });
  listener.on("error", () => undefined);
  await new Promise<void>((listening) => listener.listen(0, "127.0.0.1", listening));
  closers.push(() => new Promise((closed) => listener.close(() => closed())));
  return { host: `127.0.0.1:${(listener.server.address() as AddressInfo).port}`, received };
}

function transport(url: string, timeouts = { greeting: 10_000, silence: 10_000 }) {
  const opened = smtpTransport(url, FROM, timeouts);
  closers.push(() => opened.close?.());
  return opened;
}

const mail = (lane: OutgoingEmail["lane"] = "account"): OutgoingEmail => ({
  id: crypto.randomUUID(),
  lane,
  recipient: "layla@customer.test",
  subject: "رمز",
  text: "048213\n.\nend",
  html: "<p>048213</p>",
  createdAt: new Date(),
});

test.each([
  ["smtps", { secure: true }],
  ["smtp", {}],
])(
  "%s: sends with TLS and a password, reuses a connection, and keeps lanes apart",
  async (scheme, options) => {
    const { host, received } = await server(options);
    const { send } = transport(`${scheme}://shop:p%40ss%20word@${host}?tls.rejectUnauthorized=false`);
    for (let n = 0; n < 3; n += 1) await send(mail());
    await send(mail("receipt"));
    expect(received.map(({ user, secure }) => ({ user, secure }))).toEqual(
      Array.from({ length: 4 }, () => ({ user: "shop", secure: true })),
    );
    expect(new Set(received.slice(0, 3).map(({ connection }) => connection)).size).toBe(1);
    expect(received[3]?.connection).not.toBe(received[0]?.connection);
    expect(received[0]?.body).toContain("048213\r\n.\r\nend");
  },
);

test("a wrong password is an error, and a connection that the server closed is replaced", async () => {
  const { host, received } = await server({
    socketTimeout: 200,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
  });
  await expect(transport(`smtp://shop:wrong@${host}`).send(mail())).rejects.toThrow("Invalid login");
  const { send } = transport(`smtp://shop:p%40ss%20word@${host}`);
  await send(mail());
  await expect
    .poll(
      async () => {
        await send(mail());
        return new Set(received.map(({ connection }) => connection)).size;
      },
      { interval: 400, timeout: 60_000 },
    )
    .toBeGreaterThan(1);
});

test("a server that never confirms a message times out, and a slow one does not", async () => {
  const { host, received } = await server(
    { authOptional: true, disabledCommands: ["STARTTLS", "AUTH"] },
    900,
  );
  await transport(`smtp://${host}`, { greeting: 10_000, silence: 10_000 }).send(mail());
  const impatient = transport(`smtp://${host}`, { greeting: 10_000, silence: 300 });
  await expect(impatient.send(mail())).rejects.toThrow("Timeout");
  expect(received).toHaveLength(2);
});

test("a transport that was closed opens new connections", async () => {
  const { host, received } = await server({ authOptional: true, disabledCommands: ["STARTTLS", "AUTH"] });
  const opened = transport(`smtp://${host}`);
  await opened.send(mail());
  opened.close?.();
  await opened.send(mail());
  expect(new Set(received.map(({ connection }) => connection)).size).toBe(2);
});
