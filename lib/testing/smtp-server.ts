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
  /** Refuses every recipient with this answer, such as `550 no such user`. */
  refuse?: string;
  /** Keeps no messages: a load sends more than fit into memory. */
  forget?: boolean;
  /** Accepts connections and never answers. */
  silent?: boolean;
  /** The account that may send; the URL contains it. Without an account anyone may send. */
  account?: { user: string; password: string };
};

/** An SMTP server on loopback that records the messages it receives. */
export async function smtpServer(options: SmtpOptions = {}): Promise<SmtpStandIn> {
  const { port = 0, refuse, silent = false, forget = false, account } = options;
  const messages: SmtpMessage[] = [];
  const server = new SMTPServer({
    // Without TLS: there is no certificate, and passwords stay on loopback.
    disabledCommands: account ? ["STARTTLS"] : ["STARTTLS", "AUTH"],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      if (!silent) done();
    },
    onAuth({ username, password }, _session, done) {
      const known = username === account?.user && password === account?.password;
      done(known ? null : new Error("invalid account"), { user: username });
    },
    onRcptTo(_address, _session, done) {
      if (!refuse) return done();
      const error = new Error(refuse.replace(/^\d+ /, ""));
      done(Object.assign(error, { responseCode: Number.parseInt(refuse, 10) }));
    },
    onData(stream, { envelope }, done) {
      if (forget) {
        stream.resume();
        stream.on("end", () => done());
        return;
      }
      void text(stream).then((data) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : "";
        messages.push({ from, to: envelope.rcptTo.map(({ address }) => address).join(), data });
        done();
      }, done);
    },
  });
  // A client that disconnects must not end the tests.
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
