import { expect, test } from "vitest";
import { readBytes } from "./body";

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
