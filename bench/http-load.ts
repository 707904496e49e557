import http from "node:http";

export type Ask = { path: string; headers?: Record<string, string>; body?: object };
/** Rate in answers a second, times in milliseconds, `bytes` of the last answer's body. */
export type Answers = { rate: number; p50: number; p99: number; bytes: number; count: number };

type One = { status: number; body: string; bytes: number };

function send(base: string, agent: http.Agent, { path, headers, body }: Ask): Promise<One> {
  return new Promise((done, fail) => {
    const text = body && JSON.stringify(body);
    const sent = text
      ? { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(text) }
      : headers;
    const request = http.request(
      base + path,
      { agent, method: text ? "POST" : "GET", headers: sent },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("error", fail);
        answer.on("end", () => {
          const whole = Buffer.concat(parts);
          const failed = answer.statusCode !== 200;
          done({
            status: answer.statusCode ?? 0,
            body: failed ? whole.toString() : "",
            bytes: whole.length,
          });
        });
      },
    );
    request.on("error", fail);
    request.end(text);
  });
}

const at = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * So many clients, each of which asks anew as soon as it is answered, for so many seconds. Throws an Error on any answer
 * but 200: a refusal is faster than what is measured.
 */
export async function loadHttp(
  base: string,
  clients: number,
  seconds: number,
  ask: (client: number, nth: number) => Ask,
): Promise<Answers> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  let bytes = 0;
  const started = performance.now();
  const until = started + seconds * 1_000;
  const client = async (index: number) => {
    for (let nth = 0; performance.now() < until; nth++) {
      const asked = ask(index, nth);
      const began = performance.now();
      const answer = await send(base, agent, asked);
      if (answer.status !== 200) {
        throw new Error(`${asked.path} was answered ${answer.status}: ${answer.body.slice(0, 300)}`);
      }
      times.push(performance.now() - began);
      bytes = answer.bytes;
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  } finally {
    agent.destroy();
  }
  const rate = times.length / ((performance.now() - started) / 1_000);
  times.sort((a, b) => a - b);
  return { rate, p50: at(times, 0.5), p99: at(times, 0.99), bytes, count: times.length };
}
