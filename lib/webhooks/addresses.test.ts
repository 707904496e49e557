import { createSocket } from "node:dgram";
import dns from "node:dns";
import { once } from "node:events";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

type Addresses = typeof import("./send");
/** The module under settings of a server. */
async function under(settings: Record<string, string>): Promise<Addresses> {
  vi.resetModules();
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  return import("./send");
}
const PRODUCTION = {
  APP_ENV: "production",
  APP_URL: "https://wallet.example",
  AUTH_SECRET: "q3Zr8Vt1Lx0Wn5Pm7Kd9Hs2Jf4Gb6Yc8Ra1Te3Ui5O",
  TRUSTED_PROXIES: "0",
  RESEND_API_KEY: "re_x",
  S3_BUCKET: "b",
  S3_REGION: "eu-1",
};
const names =
  (...found: string[]) =>
  async () =>
    found;

beforeEach(() => vi.unstubAllEnvs());
afterEach(() => vi.unstubAllEnvs());

test.each([
  ["http://shop.example/x", "protocol"],
  ["ftp://shop.example/x", "protocol"],
  ["https://user:secret@shop.example/x", "credentials"],
  ["https://127.0.0.1/x", "private"],
  ["https://2130706433/x", "private"],
  ["https://0177.0.0.1/x", "private"],
  ["https://0x7f.1/x", "private"],
  ["https://10.1.2.3/x", "private"],
  ["https://192.168.1.1/x", "private"],
  ["https://100.64.0.1/x", "private"],
  ["https://169.254.169.254/latest", "private"],
  ["https://0.0.0.0/x", "private"],
  ["https://224.0.0.1/x", "private"],
  ["https://255.255.255.255/x", "private"],
  ["https://[::1]/x", "private"],
  ["https://[::]/x", "private"],
  ["https://[::ffff:127.0.0.1]/x", "private"],
  ["https://[::ffff:a9fe:a9fe]/x", "private"],
  ["https://[64:ff9b::7f00:1]/x", "private"],
  ["https://[2002:7f00:1::]/x", "private"],
  ["https://[fe80::1]/x", "private"],
  ["https://[fd00:ec2::254]/x", "private"],
  ["https://[::7f00:1]/x", "private"],
  ["https://[::a9fe:a9fe]/x", "private"],
  ["https://[100:0:0:1::1]/x", "private"],
  ["https://[4000::1]/x", "private"],
])("in production %s is refused (%s)", async (url, why) => {
  const { checkAddress } = await under(PRODUCTION);
  const asked = checkAddress(url, names("93.184.216.34"));
  await expect(asked).rejects.toMatchObject({ code: "webhook_address", params: { why } });
});

test("every address of a name must be public; the first is where the connection goes", async () => {
  const { checkAddress } = await under(PRODUCTION);
  const of = (...found: string[]) => checkAddress("https://shop.example/x", names(...found));
  expect(await of("93.184.216.34", "2606:2800:21f:cb07::1")).toMatchObject({ address: "93.184.216.34" });
  await expect(of("93.184.216.34", "10.0.0.1")).rejects.toMatchObject({ params: { why: "private" } });
  await expect(of("93.184.216.34", "::ffff:10.0.0.1")).rejects.toMatchObject({ params: { why: "private" } });
  await expect(of()).rejects.toMatchObject({ params: { why: "unknown" } });
});

test("whoever runs the server may allow private hosts, never link-local ones and metadata", async () => {
  const { checkAddress } = await under({ ...PRODUCTION, WEBHOOK_ALLOWED_HOSTS: "erp.internal, 10.0.0.7" });
  const of = (host: string, ...found: string[]) => checkAddress(`https://${host}/x`, names(...found));
  expect(await of("erp.internal", "10.0.0.5")).toMatchObject({ address: "10.0.0.5" });
  expect(await of("10.0.0.7")).toMatchObject({ address: "10.0.0.7" });
  await expect(of("other.internal", "10.0.0.5")).rejects.toThrow();
  for (const metadata of [
    "169.254.169.254",
    "fe80::1",
    "100.100.100.200",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fd00:42::42",
  ]) {
    await expect(of("erp.internal", metadata)).rejects.toMatchObject({ params: { why: "private" } });
  }
});

test("outside production loopback and http are allowed, and nothing else that is private", async () => {
  const { checkAddress } = await under({ APP_ENV: "test" });
  expect(await checkAddress("http://127.0.0.1:3000/x")).toMatchObject({ address: "127.0.0.1" });
  expect(await checkAddress("http://localhost:3000/x", names("127.0.0.1"))).toMatchObject({
    address: "127.0.0.1",
  });
  await expect(checkAddress("http://10.0.0.1/x")).rejects.toMatchObject({ params: { why: "private" } });
});

/** A name server of this process. It knows the address of every name, and never answers about those below silent.example. */
async function nameServer(): Promise<void> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port }) => {
    // After the head of 12 bytes comes the name up to a NUL, then two bytes of the type and two of the class.
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    if (question.includes("silent")) return;
    const isIPv4 = question.at(-3) === 1;
    const head = Buffer.from([0x81, 0x80, 0, 1, 0, isIPv4 ? 1 : 0, 0, 0, 0, 0]);
    const found = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34]);
    const parts = [query.subarray(0, 2), head, question, ...(isIPv4 ? [found] : [])];
    socket.send(Buffer.concat(parts), port, "127.0.0.1");
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const before = dns.getServers();
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
  onTestFinished(() => {
    dns.setServers(before);
    socket.close();
  });
}

test("a name server that never answers holds up no other look-up of the process, and is given up", async () => {
  await nameServer();
  const { checkAddress } = await under({ APP_ENV: "test" });
  const since = performance.now();
  const silent = Array.from({ length: 16 }, (_, n) => checkAddress(`https://shop${n}.silent.example/x`));
  const refusals = Promise.allSettled(silent);
  expect(await checkAddress("https://shop.example/x")).toMatchObject({ address: "93.184.216.34" });
  // As for the mail server, the storage, or the database.
  await dns.promises.lookup("localhost");
  expect(performance.now() - since).toBeLessThan(4_000);
  const codes = (await refusals).map((one) => one.status === "rejected" && one.reason.params.why);
  expect(new Set(codes)).toEqual(new Set(["unknown"]));
  expect(performance.now() - since).toBeLessThan(15_000);
});
