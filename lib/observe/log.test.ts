import { spawnSync } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { captureConsole } from "./log";

const kept = { ...console };
afterAll(() => void Object.assign(console, kept));

test("a library that prints a client's leaving prints no error, and a failure stays one", async () => {
  const left = new Promise<Error>((done) => {
    const server = http.createServer((request) => request.on("error", done).resume());
    server.listen(0, "127.0.0.1", async () => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      await once(socket, "connect");
      socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nabc");
      await once(server, "request");
      socket.resetAndDestroy();
      server.close();
    });
  });
  const error = await left;
  const written = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  captureConsole();
  console.error(error);
  // As next-auth prints it: the name, then the stack.
  console.error(`[auth][error] ${error.name}: ${error.message}`);
  console.error(error.stack?.replace(/.*/, "").substring(1));
  console.error(new Error("a bug"));
  const lines = written.mock.calls.map(([line]) => String(line));
  written.mockRestore();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/ERROR console .*a bug/);
});

test("a warning of Node is a warning in the log", () => {
  const code = `process.emitWarning("may change", { type: "ExperimentalWarning", code: "LW1" }); process.emitWarning("goes")`;
  const { stderr } = spawnSync(process.execPath, ["-e", code], { encoding: "utf8" });
  const warnings = stderr.match(/^\(node.*/gm) ?? [];
  expect(warnings).toHaveLength(2);
  const written = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  captureConsole();
  for (const warning of warnings) console.error(warning);
  const lines = written.mock.calls.map(([line]) => String(line));
  written.mockRestore();
  expect(lines[0]).toMatch(/ WARN +console .*may change/);
  expect(lines[1]).toMatch(/ WARN +console .*goes/);
});
