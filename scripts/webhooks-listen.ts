import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

// npm run webhooks:listen -- SECRET [port]: verifies and prints webhooks. Answers 204, or 401 to a bad one.
const [secret = "", port = "8787"] = process.argv.slice(2);
if (!secret.startsWith("whsec_")) {
  console.error("Give the webhook's secret: npm run webhooks:listen -- whsec_… [port]");
  process.exit(1);
}
const webhook = new Webhook(secret);

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts).toString();
  try {
    webhook.verify(body, request.headers as Record<string, string>);
    console.log(request.headers["webhook-id"], JSON.stringify(JSON.parse(body), null, 2));
    response.writeHead(204).end();
  } catch (error) {
    console.log("refused:", error instanceof Error ? error.message : error);
    response.writeHead(401).end();
  }
});
server.listen(Number(port), "127.0.0.1", () => console.log(`Listening at http://127.0.0.1:${port}/`));
