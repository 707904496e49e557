import { createHash, createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request as send } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

type S3Rver = { run(): Promise<AddressInfo>; close(): Promise<void> };
type S3RverClass = new (options: Record<string, unknown>) => S3Rver;

export type S3StandIn = {
  endpoint: string;
  /** The settings of a program that keeps its files here. */
  settings: Record<string, string>;
  close(): Promise<void>;
};

const SECRET = "S3RVER";
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** Whether a presigned request matches its AWS signature (version 4), which s3rver does not check. */
function isSignatureValid(request: IncomingMessage): boolean {
  const url = new URL(request.url ?? "", "http://loopback");
  const query = url.searchParams;
  const names = query.get("X-Amz-SignedHeaders")?.split(";") ?? [];
  const [, day = "", region = "", service = ""] = query.get("X-Amz-Credential")?.split("/") ?? [];
  const signed = [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort();
  const headers = names.map((name) => `${name}:${request.headers[name] ?? ""}\n`).join("");
  const canonical = [
    request.method,
    url.pathname,
    signed.join("&"),
    headers,
    names.join(";"),
    "UNSIGNED-PAYLOAD",
  ];
  const digest = createHash("sha256").update(canonical.join("\n")).digest("hex");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", query.get("X-Amz-Date"), scope, digest].join("\n");
  const key = [region, service, "aws4_request"].reduce(hmac, hmac(`AWS4${SECRET}`, day));
  return hmac(key, text).toString("hex") === query.get("X-Amz-Signature");
}

/** An S3 server on loopback with one bucket: s3rver behind a check of presigned URLs. */
export async function s3Server(): Promise<S3StandIn> {
  // s3rver has no types.
  const S3rver = createRequire(import.meta.url)("s3rver") as S3RverClass;
  const directory = await mkdtemp(join(tmpdir(), "wallet-s3-"));
  const options = { port: 0, address: "127.0.0.1", silent: true, directory };
  const store = new S3rver({ ...options, configureBuckets: [{ name: "wallet" }] });
  const { port } = await store.run();
  const front = createServer((request, response) => {
    if (request.url?.includes("X-Amz-Signature=") && !isSignatureValid(request)) {
      request.resume();
      response.writeHead(403).end("SignatureDoesNotMatch");
      return;
    }
    const { method, url: path, headers } = request;
    const onward = send({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((done) => front.listen(0, "127.0.0.1", done));
  const endpoint = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const settings = {
    S3_BUCKET: "wallet",
    S3_ENDPOINT: endpoint,
    S3_REGION: "us-east-1",
    S3_FORCE_PATH_STYLE: "true",
    S3_ACCESS_KEY_ID: SECRET,
    S3_SECRET_ACCESS_KEY: SECRET,
  };
  return {
    endpoint,
    settings,
    async close() {
      front.closeAllConnections();
      await new Promise((done) => front.close(done));
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
