import { expect, test } from "vitest";
import { readBytes, readJson } from "./body";

test("a body that is too large is refused at once and read to its end, not cancelled", async () => {
  let [sent, cancelled] = [0, false];
  let ended = () => {};
  const end = new Promise<void>((done) => {
    ended = done;
  });
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === 50) {
        controller.close();
        ended();
      } else controller.enqueue(new Uint8Array(1_000));
      sent++;
    },
    cancel() {
      cancelled = true;
    },
  });
  const request = new Request("http://localhost/", { method: "POST", body, duplex: "half" } as RequestInit);
  await expect(readBytes(request, 2_000)).rejects.toMatchObject({ code: "too_large" });
  await end;
  expect(cancelled).toBe(false);
});

test("a NUL character is refused, and not a text that only looks like its escape", async () => {
  const read = (body: string) =>
    readJson(
      new Request("http://localhost/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      }),
    );
  for (const text of ["\0", "a\0b", "\\\0", "\\\\\0"]) {
    await expect(read(JSON.stringify({ a: text }))).rejects.toMatchObject({ code: "malformed" });
    await expect(read(JSON.stringify({ a: [{ [text]: 1 }] }))).rejects.toMatchObject({ code: "malformed" });
  }
  for (const text of ["\\u0000", "C:\\u0000 files", "\\\\u0000"]) {
    expect(await read(JSON.stringify({ a: text }))).toEqual({ a: text });
  }
});
