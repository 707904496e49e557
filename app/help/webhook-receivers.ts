/**
 * Receivers of webhooks in three languages, for the guide for developers: each verifies the raw body as it came. A test runs
 * them. The environment gives WALLET_SECRET and PORT.
 */
export const RECEIVERS = {
  webhook: `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.WALLET_SECRET.slice("whsec_".length), "base64");

function isFromWallet(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - at) < 300)) return false;
  const wanted = createHmac("sha256", key).update(id + "." + at + ".").update(body).digest();
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (!isFromWallet(request.headers, body)) return response.writeHead(401).end();
  const { type, data } = JSON.parse(body);
  console.log(request.headers["webhook-id"], type, data.iSeq);
  response.writeHead(204).end();
}).listen(process.env.PORT);`,
  python: `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WALLET_SECRET"].removeprefix("whsec_"))

def is_from_wallet(headers, body):
    id, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "0")
    if not abs(time.time() - int(at)) < 300:
        return False
    wanted = hmac.new(KEY, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest("v1," + base64.b64encode(wanted).decode(), one) for one in given)

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if not is_from_wallet(self.headers, body):
            self.send_response(401)
        else:
            event = json.loads(body)
            print(self.headers["webhook-id"], event["type"], event["data"].get("iSeq"), flush=True)
            self.send_response(204)
        self.end_headers()

HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()`,
  php: `<?php
$key = base64_decode(substr(getenv("WALLET_SECRET"), strlen("whsec_")));
$body = file_get_contents("php://input");
$id = $_SERVER["HTTP_WEBHOOK_ID"] ?? "";
$at = $_SERVER["HTTP_WEBHOOK_TIMESTAMP"] ?? "0";
$wanted = "v1," . base64_encode(hash_hmac("sha256", "$id.$at.$body", $key, true));
$given = explode(" ", $_SERVER["HTTP_WEBHOOK_SIGNATURE"] ?? "");
$isSigned = array_filter($given, fn($one) => hash_equals($wanted, $one));
if (abs(time() - (int) $at) >= 300 || !$isSigned) {
  http_response_code(401);
  exit;
}
$event = json_decode($body, true);
error_log($id . " " . $event["type"]);
http_response_code(204);`,
} as const;
