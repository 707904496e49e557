import { type AddressInfo, createServer, type Socket } from "node:net";

export type SmtpMessage = { from: string; to: string; data: string };
export type SmtpStandIn = {
  url: string;
  port: number;
  messages: SmtpMessage[];
  close(): Promise<void>;
};

/** Speaks enough SMTP on loopback to take messages. `refuse` is its answer to a recipient, when it takes none. */
export async function smtpServer(options: { port?: number; refuse?: string } = {}): Promise<SmtpStandIn> {
  const messages: SmtpMessage[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.setEncoding("utf8"));
    converse(socket, messages, options.refuse);
  });
  await new Promise<void>((done) => server.listen(options.port ?? 0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    messages,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

function converse(socket: Socket, messages: SmtpMessage[], refuse: string | undefined): void {
  let buffer = "";
  let inData = false;
  let message: SmtpMessage = { from: "", to: "", data: "" };
  const say = (line: string) => socket.write(`${line}\r\n`);

  function command(line: string): void {
    if (/^(EHLO|HELO)/i.test(line)) say("250 stand-in");
    else if (/^MAIL FROM:/i.test(line)) {
      message = { from: line.slice(10), to: "", data: "" };
      say("250 ok");
    } else if (/^RCPT TO:/i.test(line)) {
      message.to = line.slice(8).replace(/[<>]/g, "");
      say(refuse ?? "250 ok");
    } else if (/^DATA/i.test(line)) {
      inData = true;
      say("354 go on");
    } else if (/^QUIT/i.test(line)) {
      say("221 bye");
      socket.end();
    } else say("250 ok");
  }

  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    buffer += chunk;
    for (let end = buffer.indexOf("\r\n"); end >= 0; end = buffer.indexOf("\r\n")) {
      const line = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      if (!inData) command(line);
      else if (line === ".") {
        inData = false;
        messages.push(message);
        say("250 taken");
      } else message.data += `${line.startsWith("..") ? line.slice(1) : line}\r\n`;
    }
  });
  say("220 stand-in");
}
