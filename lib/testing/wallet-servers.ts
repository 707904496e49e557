import { generateKeyPairSync } from "node:crypto";
import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { afterAll, vi } from "vitest";

type AppleAnswer = number | { status: number; reason: string };

/**
 * Starts loopback stand-ins for Apple's push service and Google Wallet, and points the settings at them until the test
 * file ends. Answers the requests they receive, and takes their next answers (200 when there is none).
 */
export async function startWalletServers() {
  const servers = {
    pushes: [] as { path: string; topic: unknown; body: string }[],
    appleAnswers: [] as AppleAnswer[],
    appleConnections: 0,
    /** While set, pushes are not answered: each waits here for its call. */
    appleHeld: undefined as (() => void)[] | undefined,
    patched: [] as { path: string; authorization?: string; body: object }[],
    googleAnswers: [] as number[],
    /** While set, updates do not arrive at Google: each waits here for its call. */
    googleHeld: undefined as (() => void)[] | undefined,
  };
  const apple = http2.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      servers.pushes.push({ path: request.url, topic: request.headers["apns-topic"], body });
      const answer = servers.appleAnswers.shift() ?? 200;
      const reply = () => {
        response.writeHead(typeof answer === "number" ? answer : answer.status);
        response.end(typeof answer === "number" ? "" : JSON.stringify({ reason: answer.reason }));
      };
      if (servers.appleHeld) servers.appleHeld.push(reply);
      else reply();
    });
  });
  apple.on("session", () => servers.appleConnections++);
  const google = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      if (request.url === "/token") {
        response.setHeader("content-type", "application/json");
        return response.end(JSON.stringify({ access_token: "a-token", expires_in: 3600 }));
      }
      const { authorization } = request.headers;
      const arrive = () => {
        servers.patched.push({ path: request.url ?? "", authorization, body: JSON.parse(body) });
        response.writeHead(servers.googleAnswers.shift() ?? 200);
        response.end("{}");
      };
      if (servers.googleHeld) servers.googleHeld.push(arrive);
      else arrive();
    });
  });
  await Promise.all(
    [apple, google].map((server) => new Promise<void>((up) => server.listen(0, "127.0.0.1", up))),
  );
  afterAll(() => {
    apple.close();
    google.close();
  });
  const at = (server: { address(): unknown }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  vi.stubEnv("APPLE_APNS_URL", at(apple));
  vi.stubEnv("GOOGLE_WALLET_URL", at(google));
  vi.stubEnv("GOOGLE_TOKEN_URL", `${at(google)}/token`);
  vi.stubEnv("GOOGLE_WALLET_ISSUER_ID", "3388000000000000001");
  vi.stubEnv(
    "GOOGLE_WALLET_KEY",
    JSON.stringify({
      client_email: "wallet@project.iam.test",
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
    }),
  );
  return servers;
}
