import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { s3Storage } from "./storage";

const KEY = "images/018f0000-0000-7000-8000-000000000000.webp";
const SHORT = { connectionTimeout: 300, requestTimeout: 500, socketTimeout: 500 };

const sockets = new Set<Socket>();
let server: Server | undefined;
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
});

/** A store behind a port that treats each connection so. */
async function storeThat(meets: (socket: Socket) => void) {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    meets(socket);
  });
  await new Promise<void>((up) => server?.listen(0, "127.0.0.1", up));
  const { port } = server.address() as AddressInfo;
  const keys = { S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b" };
  const place = { S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_REGION: "us-east-1", S3_BUCKET: "wallet" };
  return s3Storage("wallet", { ...keys, ...place, S3_FORCE_PATH_STYLE: "true" }, SHORT);
}

const answerOf = (status: string, body: string) => (socket: Socket) =>
  socket.once("data", () =>
    socket.end(`HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`),
  );

test.each<[string, (socket: Socket) => void]>([
  ["down", (socket) => socket.resetAndDestroy()],
  ["silent", () => undefined],
  ["silent after the headers", (s) => s.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf")],
  ["answering what nobody can read", (socket) => socket.end("\u0007 !? nonsense\r\n\r\n")],
  ["answering a page of a proxy", answerOf("502 Bad Gateway", "<html>no</html>")],
])(
  "a store that is %s is unavailable, for reading, writing and removing",
  async (_what, meets) => {
    const store = await storeThat(meets);
    const refused = { code: "unavailable" };
    await Promise.all([
      expect(store.read(KEY, 1_000)).rejects.toMatchObject(refused),
      expect(store.write(KEY, Buffer.from("a"), "image/webp")).rejects.toMatchObject(refused),
      expect(store.remove([KEY])).rejects.toMatchObject(refused),
    ]);
  },
  15_000,
);

test("a store that refuses the keys is not unavailable: the settings are wrong", async () => {
  const store = await storeThat(answerOf("403 Forbidden", "<Error><Code>AccessDenied</Code></Error>"));
  await expect(store.read(KEY, 1_000)).rejects.not.toMatchObject({ code: "unavailable" });
});

test("a file that the store kept when it was told to remove it is not said to be removed", async () => {
  const kept = `<Error><Key>${KEY}</Key><Code>InternalError</Code><Message>try again</Message></Error>`;
  const store = await storeThat(answerOf("200 OK", `<DeleteResult>${kept}</DeleteResult>`));
  await expect(store.remove([KEY])).rejects.toMatchObject({ code: "unavailable" });
});
