import { connect, createServer, type Socket } from "node:net";

const LENGTH = 4;

/** Reads what a client of Postgres sends, and tells the SQL of each statement that it has run. */
function reader(onStatement: (sql: string) => void): (part: Buffer) => void {
  let waiting = Buffer.alloc(0);
  let started = false;
  const prepared = new Map<string, string>();
  const textsOf = (body: Buffer) => body.toString("latin1").split("\0");
  const read = (type: string, body: Buffer) => {
    const [first = "", second = ""] = textsOf(body);
    if (type === "Q") onStatement(first);
    // Parse names a statement, Bind runs it.
    else if (type === "P") prepared.set(first, second);
    else if (type === "B") onStatement(prepared.get(second) ?? "");
  };
  return (part) => {
    waiting = Buffer.concat([waiting, part]);
    for (;;) {
      // The first message has no type.
      const at = started ? 1 : 0;
      if (waiting.length < at + LENGTH) return;
      const end = at + waiting.readUInt32BE(at);
      if (waiting.length < end) return;
      if (started) read(String.fromCharCode(waiting[0] ?? 0), waiting.subarray(at + LENGTH, end));
      started = true;
      waiting = waiting.subarray(end);
    }
  };
}

/** A way to a database that keeps the text of every statement that goes through. */
export async function watchedDatabase(url: string) {
  const target = new URL(url);
  const statements: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
      one.pipe(other);
    }
    client.on(
      "data",
      reader((sql) => statements.push(sql)),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  target.hostname = "127.0.0.1";
  target.port = String(typeof address === "object" && address ? address.port : 0);
  return {
    url: target.toString(),
    statements,
    stop: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
