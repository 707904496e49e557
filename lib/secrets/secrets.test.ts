import { createHmac, randomBytes } from "node:crypto";
import { decode, encode } from "next-auth/jwt";
import { beforeEach, expect, test, vi } from "vitest";
import { createDb } from "@/lib/db/client";

const SALT = "wallet.session";
const [FIRST, SECOND] = [randomBytes(36).toString("base64"), randomBytes(36).toString("base64")];
const CARD = "0193a2f0-0000-7000-8000-000000000001";
const NOW = new Date("2026-11-22T09:00:10Z");

/** The program's modules as a process with these secrets has them. */
async function processWith(secret: string, previous = "") {
  vi.resetModules();
  vi.stubEnv("AUTH_SECRET", secret);
  vi.stubEnv("AUTH_SECRET_PREVIOUS", previous);
  const [keys, proof, freeze, uploads] = await Promise.all([
    import("./secrets"),
    import("@/lib/ledger/proof"),
    import("@/lib/cards/freeze-card"),
    import("@/lib/files/storage"),
  ]);
  return { keys, proof, freeze, uploads };
}

/** What a version before HKDF made with this secret. */
function madeBefore(secret: string) {
  const under = (label: string) => createHmac("sha256", secret).update(label).digest();
  const step = Math.floor(NOW.getTime() / 30_000);
  const mac = createHmac("sha256", under("live code of a card")).update(`${CARD}\n${step}`).digest();
  const until = Math.floor(NOW.getTime() / 1000) + 3600;
  const claims = { key: "pending/x", type: "image/png", until };
  const body = Buffer.from(JSON.stringify(claims)).toString("base64url");
  const upload = createHmac("sha256", `upload:${secret}`).update(body).digest("base64url");
  return { code: `${step}.${mac.subarray(0, 12).toString("base64url")}`, step, upload: `${body}.${upload}` };
}

const unusedDb = createDb("postgresql://nobody@localhost:1/none");
const contextOf = () => ({ actor: null, db: unusedDb, clock: () => NOW }) as never;

/** Whether a "this was not me" link is accepted: one that is refused asks no database. */
async function linkAccepted(freeze: typeof import("@/lib/cards/freeze-card"), token: string) {
  const error = await freeze.freezableCard(contextOf(), { token }).catch((one: unknown) => one);
  return (error as { code?: string }).code !== "link_invalid";
}

beforeEach(() => vi.unstubAllEnvs());

test("each purpose has a key of its own", async () => {
  const { keys } = await processWith(FIRST);
  const purposes = [
    "cookies",
    "live-codes",
    "mailed-codes",
    "links",
    "uploads",
    "second-factors",
    "pin",
    "till-entries",
  ] as const;
  const macs = purposes.map((purpose) => keys.macOf(purpose, "text").toString("hex"));
  expect(new Set(macs).size).toBe(purposes.length);
});

test("what was made before keys by purpose is accepted, also after a rotation", async () => {
  const { code, step, upload } = madeBefore(FIRST);
  const cookie = await encode({ token: { sid: "one" }, secret: FIRST, salt: SALT });
  for (const [secret, previous] of [[FIRST], [SECOND, FIRST]] as const) {
    const { keys, proof, uploads } = await processWith(secret, previous);
    expect(proof.liveCodeStep(CARD, code, NOW)).toBe(step);
    expect(uploads.readUploadToken(upload, NOW.getTime())).not.toBeNull();
    const opened = await decode({ token: cookie, secret: keys.cookieSecrets() ?? [], salt: SALT });
    expect(opened?.sid).toBe("one");
  }
});

test("after a rotation the old values work, new ones use the new secret, and a third secret accepts neither", async () => {
  const before = await processWith(FIRST);
  const old = {
    code: before.proof.liveCode(CARD, NOW),
    link: before.freeze.freezeToken(CARD, NOW),
    upload: before.uploads.signUpload("pending/x", { contentType: "image/png" }, NOW.getTime()),
    sealed: before.keys.seal("second-factors", "GEZDGNBV", CARD),
    mac: before.keys.entryMac(before.keys.entryKey(CARD), "entry"),
    cookie: await encode({ token: { sid: "one" }, secret: before.keys.cookieSecrets() ?? [], salt: SALT }),
  };
  const after = await processWith(SECOND, FIRST);
  expect(after.proof.liveCodeStep(CARD, old.code, NOW)).not.toBeNull();
  expect(await linkAccepted(after.freeze, old.link)).toBe(true);
  expect(after.uploads.readUploadToken(old.upload, NOW.getTime())).not.toBeNull();
  expect(after.keys.isEntryMac(CARD, "entry", old.mac)).toBe(true);
  expect(after.keys.isEntryMac(CARD, "another entry", old.mac)).toBe(false);
  expect(after.keys.isEntryMac("another session", "entry", old.mac)).toBe(false);
  expect(after.keys.unseal("second-factors", old.sealed, CARD)).toEqual({ text: "GEZDGNBV", present: false });
  expect(after.keys.unseal("second-factors", old.sealed, "another owner")).toBeNull();
  const secret = after.keys.cookieSecrets() ?? [];
  expect((await decode({ token: old.cookie, secret, salt: SALT }))?.sid).toBe("one");

  const made = {
    code: after.proof.liveCode(CARD, NOW),
    link: after.freeze.freezeToken(CARD, NOW),
    sealed: after.keys.seal("second-factors", "GEZDGNBV", CARD),
    mac: after.keys.entryMac(after.keys.entryKey(CARD), "entry"),
  };
  const later = await processWith(SECOND);
  expect(later.proof.liveCodeStep(CARD, made.code, NOW)).not.toBeNull();
  expect(await linkAccepted(later.freeze, made.link)).toBe(true);
  expect(later.keys.unseal("second-factors", made.sealed, CARD)).toEqual({ text: "GEZDGNBV", present: true });

  expect(later.keys.isEntryMac(CARD, "entry", made.mac)).toBe(true);

  expect(later.proof.liveCodeStep(CARD, old.code, NOW)).toBeNull();
  expect(later.keys.isEntryMac(CARD, "entry", old.mac)).toBe(false);
  expect(await linkAccepted(later.freeze, old.link)).toBe(false);
  expect(later.uploads.readUploadToken(old.upload, NOW.getTime())).toBeNull();
  expect(later.keys.unseal("second-factors", old.sealed, CARD)).toBeNull();
  await expect(
    decode({ token: old.cookie, secret: later.keys.cookieSecrets() ?? [], salt: SALT }),
  ).rejects.toThrow();
});
