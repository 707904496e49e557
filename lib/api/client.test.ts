import { afterEach, describe, expect, test } from "vitest";
import { ledgerCalls } from "@/lib/ledger/names";
import { tillCalls } from "@/lib/tills/names";
import { api, toResult } from "./client";
import { connectClient, type Send } from "./connection";

type Sent = { path: string; init: RequestInit };
const sent: Sent[] = [];

/** Connects a server that gives these answers, one after the other; an Error stands for no answer. */
function serve(answers: (Response | Error)[], confirm = async () => true): void {
  sent.length = 0;
  const send: Send = async (path, init) => {
    sent.push({ path, init });
    const answer = answers[sent.length - 1];
    if (!(answer instanceof Response)) throw answer;
    return answer;
  };
  connectClient({ session: () => "handle", send, confirm });
}
afterEach(() => serve([]));

const answer = (status: number, body: object | string, headers: Record<string, string> = {}) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
const header = (at: number, name: string) => new Headers(sent[at]?.init.headers).get(name);
const refund = { movementId: "a/b", reason: "Returned", points: 5, idempotencyKey: "key-1" };

test("a request has the API's names in its path, its query, its body and its headers", async () => {
  serve([answer(503, {}), answer(503, {}), answer(503, {})]);
  await api(ledgerCalls.refund, refund);
  await api(ledgerCalls.findRedemptions, { saleRef: "INV 1&2" }, { session: "other" });
  await api(tillCalls.closeShift, { id: "s", counted: { cash: 5 }, note: "", waiting: 0 }, { session: null });
  expect(sent[0]).toMatchObject({ path: "/api/transactions/a%2Fb/refund", init: { method: "POST" } });
  expect(JSON.parse(String(sent[0]?.init.body))).toEqual({ sPoints: 5, sReason: "Returned" });
  expect(header(0, "idempotency-key")).toBe("key-1");
  expect(header(0, "authorization")).toBe("handle");
  expect(sent[1]).toMatchObject({ path: "/api/redeem-points/find?sSaleRef=INV+1%262", init: { body: null } });
  expect(header(1, "authorization")).toBe("other");
  expect(header(2, "authorization")).toBeNull();
  expect(JSON.parse(String(sent[2]?.init.body))).toEqual({ oCounted: { cash: 5 }, sNote: "", iWaiting: 0 });
});

test("an answer is read under the domain's names, with the server's time", async () => {
  const data = { _id: "s", iNumber: 7, dOpenedAt: "2026-01-01T00:00:00.000Z" };
  serve([answer(200, { data }, { date: "Thu, 01 Jan 2026 00:00:00 GMT" })]);
  expect(await api(tillCalls.openShift, { tillId: "t", float: 0 })).toEqual({
    kind: "ok",
    data: { id: "s", number: 7, openedAt: "2026-01-01T00:00:00.000Z" },
    serverNow: "Thu, 01 Jan 2026 00:00:00 GMT",
  });
});

test("a shift of a server of the version before has no field that this one added", async () => {
  const named = { _id: "x", sName: "X" };
  const data = {
    ...{ _id: "s", iNumber: 1, till: named, branch: { _id: "b", sBranchName: "B" }, iFloat: 0, sNote: null },
    ...{ merchant: { _id: "m", sBusinessName: "M", sBusinessNameAr: null }, aDrawer: [] },
    ...{ openedBy: named, dOpenedAt: "2026-01-01T00:00:00.000Z", dClosedAt: null, closedBy: null },
  };
  serve([answer(200, { data })]);
  expect(await api(tillCalls.getShift, { id: "s" })).toMatchObject({
    kind: "ok",
    data: { till: { id: "x", name: "X" }, countedBefore: null, difference: null, report: null },
  });
});

describe("an answer is definite, or says nothing", () => {
  const outcomes: [string, Response | Error, object][] = [
    ["4xx is refused", answer(422, { code: "refund_exceeded", message: "Too much" }), { kind: "refused" }],
    ["5xx is lost", answer(503, { code: "outcome_unknown" }), { kind: "lost", code: "outcome_unknown" }],
    ["a gateway's page is no answer", answer(502, "<html>"), { kind: "lost", noAnswer: true }],
    ["a portal's page is no answer", answer(200, "<html>"), { kind: "lost", noAnswer: true }],
    ["a gateway's JSON is no answer", answer(404, { message: "no Route" }), { kind: "lost", noAnswer: true }],
    ["JSON without data is no answer", answer(200, {}), { kind: "lost", noAnswer: true }],
    ["nothing is no answer", new Error("offline"), { kind: "lost", noAnswer: true }],
    ["401 is signed out", answer(401, { code: "unauthenticated" }), { kind: "signedOut", ended: false }],
    ["417 is an ended session", answer(417, "<html>"), { kind: "signedOut", ended: true, code: "" }],
  ];
  test.each(outcomes)("%s", async (_, served, expected) => {
    serve([served]);
    expect(await api(ledgerCalls.refund, refund)).toMatchObject(expected);
  });

  test("what its caller gave up is lost, and does not say that the server is away", async () => {
    const stop = new AbortController();
    stop.abort();
    serve([new Error("aborted")]);
    expect(await api(ledgerCalls.refund, refund, { signal: stop.signal })).toEqual({ kind: "lost" });
  });
});

describe("step-up", () => {
  const asks = () => answer(403, { code: "step_up_required", message: "Confirm who you are" });

  test("the same request with the same key, once the user has confirmed", async () => {
    serve([asks(), answer(422, { code: "refund_expired", message: "Late" })]);
    expect(await api(ledgerCalls.refund, refund)).toMatchObject({ code: "refund_expired" });
    expect(sent).toHaveLength(2);
    expect(header(1, "idempotency-key")).toBe("key-1");
    expect(sent[1]?.init.body).toBe(sent[0]?.init.body);
  });

  test("a user who declines is refused, and a form does not ask again", async () => {
    serve([asks()], async () => false);
    const refused = await api(ledgerCalls.refund, refund);
    expect(refused).toMatchObject({ kind: "refused", code: "step_up_required" });
    const result = toResult(refused, "lost");
    expect(result).toMatchObject({ ok: false, message: "Confirm who you are" });
    expect(result).not.toMatchObject({ code: "step_up_required" });
  });
});

test("problems of fields have the names of the input", async () => {
  const errors = [
    { path: "oCounted.cash", message: "Whole dirhams" },
    { path: "sNote", message: "Too long" },
    { path: "id", message: "Unknown" },
  ];
  serve([answer(400, { code: "validation", message: "Look again", errors })]);
  const refused = await api(tillCalls.closeShift, { id: "s", counted: { cash: 1 } });
  expect(toResult(refused, "lost")).toMatchObject({
    fieldErrors: { "counted.cash": "Whole dirhams", note: "Too long", id: "Unknown" },
  });
});

test("a form repeats what is lost: it never becomes a definite refusal", async () => {
  const lost = [answer(503, { code: "unavailable" }), answer(503, { code: "outcome_unknown" })];
  serve([...lost, answer(500, { code: "internal" }), answer(502, "<html>"), new Error("offline")]);
  const codes: unknown[] = [];
  for (let at = 0; at < 5; at++) {
    const result = toResult(await api(ledgerCalls.refund, refund), "No answer");
    codes.push(!result.ok && result.code);
  }
  const unavailable = "unavailable";
  expect(codes).toEqual([unavailable, "outcome_unknown", unavailable, unavailable, unavailable]);
});
