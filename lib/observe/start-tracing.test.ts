import { expect, test } from "vitest";
import { scrubSpan } from "./start-tracing";

const CARD = "0198a3c2-7d10-7a5e-9b1f-3c2d4e5f6a7b";

test("the address in a span has no query and no id: a card's private id opens it", () => {
  const attributes: Record<string, unknown> = {
    "http.target": `/customer/loyalty-card/${CARD}?src=apple`,
    "http.route": "/customer/loyalty-card/[[...id]]",
    "url.path": `/card/manifest/${CARD.toUpperCase()}`,
    "next.span_name": `GET /api/customer/${CARD}/balance`,
    "http.status_code": 200,
  };
  const events = [{ name: "exception" }];
  scrubSpan({ attributes, events });
  expect(attributes).toEqual({
    "http.target": "/customer/loyalty-card/(id)",
    "http.route": "/customer/loyalty-card/[[...id]]",
    "url.path": "/card/manifest/(id)",
    "next.span_name": "GET /api/customer/(id)/balance",
    "http.status_code": 200,
  });
  expect(events).toEqual([]);
});
