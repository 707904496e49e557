import { createTransport } from "nodemailer";
import { expect, test } from "vitest";
import { smtpServer } from "./smtp-server";

const mail = { from: "a@wallet.test", to: "b@wallet.test", subject: "s", text: "one\n.two\n" };

test("a server with an account accepts mail only with the password", async () => {
  const server = await smtpServer({ account: { user: "shop", password: "secret" } });
  await createTransport(server.url).sendMail(mail);
  expect(server.messages).toEqual([
    { from: mail.from, to: mail.to, data: expect.stringContaining("\r\n.two") },
  ]);
  for (const url of [server.url.replace("secret", "guess"), server.url.replace("shop:secret@", "")]) {
    await expect(createTransport(url).sendMail(mail)).rejects.toThrow(/53[05]/);
  }
  expect(server.messages).toHaveLength(1);
  await server.close();
});

test("a client times out on a silent server", async () => {
  const server = await smtpServer({ silent: true });
  const impatient = createTransport({ host: "127.0.0.1", port: server.port, greetingTimeout: 50 });
  await expect(impatient.sendMail(mail)).rejects.toMatchObject({ code: "ETIMEDOUT" });
  await server.close();
});
