import { encode } from "next-auth/jwt";
import { describe, expect, test } from "vitest";
import { cookieSecrets } from "@/lib/secrets/secrets";
import { testDb } from "@/lib/testing/database";
import { makeAdmin, makeMerchant, PASSWORD } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { SESSION_COOKIE } from "./auth.config";
import { MAX_ADMIN_SECONDS, MAX_SESSION_SECONDS, openSession, resolveSession } from "./session";

const stepUpRoute = handlerOf("POST", "auth/step-up");
const exportRoute = handlerOf("GET", "transactions/export");

const db = await testDb();
const HOUR = 3600;

/** The headers of a panel's browser: its cookie, and the public handle. */
async function panel(user: { id: string; role: string }) {
  const from = { userId: user.id, userAgent: null, address: "127.0.0.1", now: new Date() };
  const session = await openSession(db, from);
  await db.session.update({ where: { id: session.id }, data: { tokenHash: null } });
  const value = await encode({
    token: { sid: session.id, handle: session.handle, role: user.role },
    secret: cookieSecrets() ?? [],
    salt: SESSION_COOKIE,
  });
  return {
    session,
    headers: {
      cookie: `${SESSION_COOKIE}=${value}`,
      authorization: session.handle,
      "content-type": "application/json",
    },
  };
}
const params = {};

describe("step-up", () => {
  test("a panel's cookie exports only after the password, for five minutes; a token of auth/login is not asked", async () => {
    const { owner } = await makeMerchant(db);
    const { session, headers } = await panel(owner);
    const exported = () => exportRoute(new Request("http://localhost:3000/api/x", { headers }), { params });
    const refused = await exported();
    expect([refused.status, (await refused.json()).code]).toEqual([403, "step_up_required"]);
    const confirm = (sPassword: string) =>
      stepUpRoute(
        new Request("http://localhost:3000/api/x", {
          method: "POST",
          headers,
          body: JSON.stringify({ sPassword }),
        }),
        { params },
      );
    expect((await confirm("not the password")).status).toBe(422);
    expect((await exported()).status).toBe(403);
    expect((await confirm(PASSWORD)).status).toBe(200);
    expect((await exported()).status).toBe(200);
    await db.session.update({
      where: { id: session.id },
      data: { steppedUpUntil: new Date(Date.now() - 1) },
    });
    expect((await exported()).status).toBe(403);

    const { token } = await openSession(db, {
      userId: owner.id,
      userAgent: null,
      address: "x",
      now: new Date(),
    });
    const byToken = new Request("http://localhost:3000/api/x", { headers: { authorization: token } });
    expect((await exportRoute(byToken, { params })).status).toBe(200);
  });
});

describe("a session", () => {
  test.each([
    ["an owner", MAX_SESSION_SECONDS],
    ["an administrator", MAX_ADMIN_SECONDS],
  ] as const)("of %s ends at its last moment, however much it is used", async (who, seconds) => {
    const user = who === "an owner" ? (await makeMerchant(db)).owner : await makeAdmin(db);
    const start = Date.now();
    const at = (later: number) => new Date(start + later * 1000);
    const { token } = await openSession(db, { userId: user.id, userAgent: null, address: "x", now: at(0) });
    for (let used = 0; used < seconds; used += 6 * HOUR) {
      expect((await resolveSession(db, { token }, at(used))).state).toBe("live");
    }
    expect((await resolveSession(db, { token }, at(seconds - 1))).state).toBe("live");
    expect((await resolveSession(db, { token }, at(seconds))).state).toBe("ended");
  });
});
