import http from "node:http";

export type Ask = { path: string; headers?: Record<string, string>; body?: object };
/** Rate in answers a second, times in milliseconds, `bytes` of the last answer's body. */
export type Answers = { rate: number; p50: number; p95: number; p99: number; bytes: number; count: number };

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
export function loadHttp(
  base: string,
  clients: number,
  seconds: number,
  ask: (client: number, nth: number) => Ask,
): Promise<Answers> {
  const until = performance.now() + seconds * 1_000;
  return collect(clients, async (take) => {
    const client = async (index: number) => {
      for (let nth = 0; performance.now() < until; nth++)
        await take(base, ask(index, nth), performance.now());
    };
    await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  });
}

/**
 * So many requests a second for so many seconds, however slowly they are answered: each time counts from the moment when the
 * request was due. Throws an Error on any answer but 200.
 */
export function loadPaced(
  base: string,
  pace: number,
  seconds: number,
  ask: (nth: number) => Ask,
): Promise<Answers> {
  return collect(Number.POSITIVE_INFINITY, async (take) => {
    const started = performance.now();
    const answers: Promise<void>[] = [];
    for (let nth = 0; nth < pace * seconds; nth++) {
      const due = started + (nth * 1_000) / pace;
      const early = due - performance.now();
      if (early > 0) await new Promise((done) => setTimeout(done, early));
      const answer = take(base, ask(nth), due);
      // A refusal is told when all were asked.
      answer.catch(() => {});
      answers.push(answer);
    }
    await Promise.all(answers);
  });
}

type Take = (base: string, asked: Ask, since: number) => Promise<void>;

/** Takes the time of each answer to what `work` asks. */
async function collect(maxSockets: number, work: (take: Take) => Promise<void>): Promise<Answers> {
  const agent = new http.Agent({ keepAlive: true, maxSockets });
  const times: number[] = [];
  let bytes = 0;
  const started = performance.now();
  try {
    await work(async (base, asked, since) => {
      const answer = await send(base, agent, asked);
      if (answer.status !== 200) {
        throw new Error(`${asked.path} was answered ${answer.status}: ${answer.body.slice(0, 300)}`);
      }
      times.push(performance.now() - since);
      bytes = answer.bytes;
    });
  } finally {
    agent.destroy();
  }
  const rate = times.length / ((performance.now() - started) / 1_000);
  times.sort((a, b) => a - b);
  const [p50, p95, p99] = [at(times, 0.5), at(times, 0.95), at(times, 0.99)];
  return { rate, p50, p95, p99, bytes, count: times.length };
}
