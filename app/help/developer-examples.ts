/** A journey runs these as one module, with WALLET_URL, WALLET_KEY and WALLET_CARD (a card's QR text). */
export const EXAMPLES = {
  client: `const { WALLET_URL, WALLET_KEY, WALLET_CARD } = process.env;

async function wallet(method, path, body, idempotencyKey) {
  const response = await fetch(WALLET_URL + "/api/" + path, {
    method,
    headers: {
      authorization: "Bearer " + WALLET_KEY,
      "content-type": "application/json",
      ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  const { data, code, message } = await response.json();
  if (response.ok) return data;
  throw Object.assign(new Error(message), { code, status: response.status });
}`,
  first: `const me = await wallet("GET", "profile");
const branch = me.branches[0]._id;
console.log(me.sName, me.aScopes);`,
  find: `const card = await wallet("POST", "customers/find", { sCode: WALLET_CARD });
console.log(card.sFullName, card.iAvailable);`,
  topup: `const sale = crypto.randomUUID();
const order = {
  customerId: card._id,
  sPoints: 100,
  iBranchId: branch,
  eTender: "online",
  sSaleRef: "ORDER-1001",
};
const paid = await wallet("POST", "top-up-points", order, sale);
console.log(paid.sBalance, paid.sCashValue);`,
  again: `const same = await wallet("POST", "top-up-points", order, sale);
console.log(same._id === paid._id);`,
  hold: `const reserve = crypto.randomUUID();
const hold = await wallet("POST", "holds", {
  customerId: card._id,
  iBranchId: branch,
  iPoints: 40,
  iSeconds: 600,
  sSaleRef: "ORDER-1002",
}, reserve);
console.log(hold.eState, hold.sBalance, hold.iAvailable);`,
  capture: `const capture = crypto.randomUUID();
const taken = await wallet("POST", "holds/" + hold._id + "/capture", { iPoints: 25 }, capture);
console.log(taken.sPoints, taken.hold.eState, taken.sBalance);`,
  lost: `const lost = await wallet("POST", "reversals", { sIdempotencyKey: capture });
console.log(lost.eResult);`,
  errors: `try {
  await wallet("POST", "top-up-points", { ...order, sPoints: 0 }, crypto.randomUUID());
} catch (error) {
  console.log(error.status, error.code, error.message);
}`,
  log: `const log = await wallet("GET", "transactions?limit=20");
for (const { eType, sPoints, dCreatedAt } of log.results) console.log(eType, sPoints, dCreatedAt);`,
} as const;

/** Receivers of webhooks, which a test runs. The environment gives WALLET_SECRET and PORT. */
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
