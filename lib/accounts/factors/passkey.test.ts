import { describe, expect, test } from "vitest";
import { askToStepUp, stepUp } from "@/lib/accounts/sign-in";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeMerchant, PASSWORD, publicContext } from "@/lib/testing/factories";
import { softPasskey } from "@/lib/testing/passkey";
import { askForPasskey, confirmSignIn, signIn } from "../sign-in";
import { addPasskey, listFactors, renameFactor, startPasskey } from "./manage";

const db = await testDb();
const START = new Date("2026-11-22T09:00:05Z");
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);

/** An owner at this moment, and a way to be them later. */
async function owner() {
  const shop = await makeMerchant(db);
  const when = (seconds: number) => ({ clock: () => at(seconds) });
  return {
    user: shop.owner,
    ctx: (seconds: number, actor = {}) => contextOf(db, shop.owner, { ...when(seconds), actor }),
    stranger: (seconds: number, address = "203.0.113.5") => publicContext(db, { ...when(seconds), address }),
    credentials: { email: shop.owner.email, password: PASSWORD },
  };
}

/** The challenge of a right password. */
async function challengeOf(person: Awaited<ReturnType<typeof owner>>, seconds: number, address?: string) {
  const error = await signIn(person.stranger(seconds, address), person.credentials).catch((one) => one);
  expect(error).toMatchObject({ code: "second_factor_required" });
  return error.data as { challenge: string; methods: string[]; options: { challenge: string } | null };
}

describe("a passkey", () => {
  async function withPasskey() {
    const person = await owner();
    const passkey = softPasskey();
    const session = await db.session.create({ data: { userId: person.user.id, expiresAt: at(9_000_000) } });
    const ctx = (seconds: number) =>
      person.ctx(seconds, { sessionId: session.id, secondFactor: true, steppedUpUntil: at(300) });
    const { options } = await startPasskey(ctx(0), {});
    const attestation = passkey.create(options as unknown as { challenge: string });
    await addPasskey(ctx(0), { attestation: attestation as never, name: "Laptop" });
    return { ...person, ctx, passkey, attestation };
  }
  const challengeIn = ({ options }: { options: unknown }) => options as { challenge: string };

  test("signs in alone, once per challenge, and only when it verified its user", async () => {
    const person = await withPasskey();
    const request = await askForPasskey(person.stranger(10), {});
    const assertion = person.passkey.get(challengeIn(request)) as never;
    const { challenge } = request;
    await expect(confirmSignIn(person.stranger(11), { challenge, assertion })).resolves.toMatchObject({
      user: { id: person.user.id },
    });
    await expect(confirmSignIn(person.stranger(12), { challenge, assertion })).rejects.toMatchObject({
      code: "challenge_expired",
    });
    const next = await askForPasskey(person.stranger(13), {});
    const unverified = person.passkey.get(challengeIn(next), { verified: false }) as never;
    await expect(
      confirmSignIn(person.stranger(13), { challenge: next.challenge, assertion: unverified }),
    ).rejects.toMatchObject({ code: "second_factor_invalid" });
  });

  test("of another site, of another user, or a copy that counts behind, is refused", async () => {
    const person = await withPasskey();
    const ask = async () => challengeOf(person, 20, "198.51.100.30");
    const answer = async (make: (options: { challenge: string }) => unknown) => {
      const request = await ask();
      const assertion = make(challengeIn(request)) as never;
      return confirmSignIn(person.stranger(20, "198.51.100.30"), { challenge: request.challenge, assertion });
    };
    const foreign = softPasskey("https://evil.example");
    await expect(answer((options) => foreign.get(options))).rejects.toMatchObject({
      code: "second_factor_invalid",
    });
    const other = await withPasskey();
    await expect(answer((options) => other.passkey.get(options))).rejects.toMatchObject({
      code: "second_factor_invalid",
    });
    await expect(answer((options) => person.passkey.get(options))).resolves.toBeDefined();
    person.passkey.setCounter(0);
    await expect(answer((options) => person.passkey.get(options))).rejects.toMatchObject({
      code: "second_factor_invalid",
    });
  });

  test("its new challenge is of one session, and a known passkey is not added twice", async () => {
    const person = await withPasskey();
    const { options } = await startPasskey(person.ctx(30), {});
    const fresh = softPasskey().create(challengeIn({ options })) as never;
    await expect(addPasskey(person.ctx(30.5), { attestation: fresh })).resolves.toMatchObject({
      recoveryCodes: null,
    });
    const other = await owner();
    const { options: foreign } = await startPasskey(person.ctx(31), {});
    const made = softPasskey().create(challengeIn({ options: foreign })) as never;
    await expect(addPasskey(other.ctx(31), { attestation: made })).rejects.toMatchObject({
      code: "second_factor_invalid",
    });
  });

  test("gets another name, once, which is written down with the one before", async () => {
    const person = await withPasskey();
    const { factors } = await listFactors(person.ctx(35), {});
    const id = factors[0]?.id ?? "";
    const rename = (name: string) => renameFactor(person.ctx(35), { id, name });
    expect(await Promise.all([rename("Office"), rename("Office")])).toEqual([
      { renamed: true },
      { renamed: true },
    ]);
    await expect(renameFactor((await owner()).ctx(36), { id, name: "Mine" })).rejects.toMatchObject({
      code: "not_found",
    });
    const written = (await auditsOf(db, person.user.id)).filter(({ action }) => action === "factor.renamed");
    expect(written).toMatchObject([
      {
        actorType: "user",
        actorId: person.user.id,
        merchantId: person.user.merchantId,
        before: { name: factors[0]?.name },
        after: { name: "Office" },
      },
    ]);
  });

  test("confirms the user again for five minutes, and a password does not where it is set", async () => {
    const person = await withPasskey();
    await expect(stepUp(person.ctx(40), { password: PASSWORD })).rejects.toMatchObject({
      code: "second_factor_invalid",
    });
    const request = await askToStepUp(person.ctx(41), {});
    const assertion = person.passkey.get(challengeIn(request)) as never;
    expect(await stepUp(person.ctx(42), { assertion })).toEqual({ until: at(342) });
    await expect(stepUp(person.ctx(43), { assertion })).rejects.toMatchObject({
      code: "second_factor_invalid",
    });
  });
});
