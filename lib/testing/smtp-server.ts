import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

type SmtpMessage = { from: string; to: string; data: string };
export type SmtpStandIn = {
  url: string;
  port: number;
  messages: SmtpMessage[];
  close(): Promise<void>;
};
export type SmtpOptions = {
  port?: number;
  /** The answer to every recipient, as `550 no such user`; none is taken. */
  refuse?: string;
  /** Takes connections and never says a word. */
  silent?: boolean;
  /** Who may send; the URL then carries both. Without it anybody may. */
  account?: { user: string; password: string };
};

/** A mail server on loopback that keeps what it is sent. */
export async function smtpServer(options: SmtpOptions = {}): Promise<SmtpStandIn> {
  const { port = 0, refuse, silent = false, account } = options;
  const messages: SmtpMessage[] = [];
  const server = new SMTPServer({
    // Its certificate would be nobody's; passwords go over loopback as they are.
    disabledCommands: account ? ["STARTTLS"] : ["STARTTLS", "AUTH"],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      if (!silent) done();
    },
    onAuth({ username, password }, _session, done) {
      const known = username === account?.user && password === account?.password;
      done(known ? null : new Error("who is that?"), { user: username });
    },
    onRcptTo(_address, _session, done) {
      if (!refuse) return done();
      const error = new Error(refuse.replace(/^\d+ /, ""));
      done(Object.assign(error, { responseCode: Number.parseInt(refuse, 10) }));
    },
    onData(stream, { envelope }, done) {
      void text(stream).then((data) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : "";
        messages.push({ from, to: envelope.rcptTo.map(({ address }) => address).join(), data });
        done();
      }, done);
    },
  });
  // A client that hangs up is no reason to end the tests.
  server.on("error", () => {});
  await new Promise<void>((up) => server.listen(port, "127.0.0.1", up));
  const bound = (server.server.address() as AddressInfo).port;
  const login = account ? `${account.user}:${account.password}@` : "";
  return {
    url: `smtp://${login}127.0.0.1:${bound}`,
    port: bound,
    messages,
    close: () => new Promise((down) => server.close(() => down())),
  };
}
