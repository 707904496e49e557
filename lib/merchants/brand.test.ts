import sharp from "sharp";
import { expect, test } from "vitest";
import type { z } from "zod";
import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { createUpload, receiveUpload } from "@/lib/files/uploads";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeMerchant } from "@/lib/testing/factories";
import { cancelProfileChange, updateBusiness, viewBusiness } from "./business";
import { decideProfile } from "./decide-merchant";
import { updateBusinessSchema } from "./model/merchant";
import { getMerchant } from "./read-merchants";

const db = await testDb();

const NOTHING = { businessNameAr: null, logoKey: null, colour: null };

async function shopOf(status: "approved" | "pending") {
  const shop = await makeMerchant(db, { status });
  const owner = contextOf(db, shop.owner, { actor: { merchantStatus: status } });
  const admin = contextOf(db, await makeAdmin(db));
  const { id } = shop.merchant;
  const profile = () => db.merchant.findUniqueOrThrow({ where: { id } });
  return { ...shop, id, owner, admin, profile };
}

/** As the form sends it. */
const change = async (ctx: Context, input: z.input<typeof updateBusinessSchema>) =>
  updateBusiness(ctx, updateBusinessSchema.parse(input));

const picture = (colour: string) =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: colour } })
    .png()
    .toBuffer();

async function uploaded(ctx: Context, colour: string): Promise<string> {
  const input = { fileName: "logo.png", contentType: "image/png", fileCategory: "image" } as const;
  const { key, presignedUrl } = await createUpload(ctx, input);
  const token = presignedUrl.split("/").at(-1) ?? "";
  await receiveUpload(ctx, { token, contentType: "image/png", bytes: await picture(colour) });
  return key;
}

const isServed = async (db: Db, key: string | null) =>
  (await db.upload.count({ where: { key: key ?? "", attachedAt: { not: null } } })) === 1;

test("a pending merchant's Arabic name, logo and colour change at once", async () => {
  const shop = await shopOf("pending");
  expect(await viewBusiness(shop.owner, {})).toMatchObject({ ...NOTHING, pending: null });
  const logo = await uploaded(shop.owner, "#8a1538");
  const saved = await change(shop.owner, { businessNameAr: "كرك هاوس", logo, colour: "8A1538" });
  const changed = { businessNameAr: "كرك هاوس", logoKey: logo, colour: "#8a1538" };
  expect(saved).toMatchObject({ ...changed, pending: null });
  expect(await shop.profile()).toMatchObject(changed);
  expect(await isServed(db, logo)).toBe(true);
  await change(shop.owner, { businessNameAr: "", logo: null, colour: "" });
  expect(await shop.profile()).toMatchObject(NOTHING);
  expect(await isServed(db, logo)).toBe(false);
});

test("of an approved merchant they wait for an administrator, with a name that waits already", async () => {
  const shop = await shopOf("approved");
  const logo = await uploaded(shop.owner, "#1d5b38");
  await change(shop.owner, { businessName: "Karak Palace" });
  const { pending } = await change(shop.owner, {
    businessNameAr: "قصر الكرك",
    logo,
    colour: "#1d5b38",
  });
  const wanted = { businessNameAr: "قصر الكرك", logoKey: logo, colour: "#1d5b38" };
  expect(pending).toMatchObject({ businessName: "Karak Palace", ...wanted });
  expect(pending).not.toHaveProperty("imageKey");
  expect(await shop.profile()).toMatchObject(NOTHING);
  const shown = await getMerchant(shop.admin, { id: shop.id });
  expect(shown).toMatchObject({ ...NOTHING, pendingProfile: { ...wanted } });
  const decision = { id: shop.id, changeId: shown.pendingProfile?.id ?? "", status: "approved" } as const;
  await decideProfile(shop.admin, decision);
  expect(await shop.profile()).toMatchObject({ businessName: "Karak Palace", ...wanted });
  const [asked, , approved] = (await auditsOf(db, shop.id)).filter(({ action }) =>
    action.includes("profile"),
  );
  expect(asked?.before).toMatchObject({ businessName: shop.merchant.businessName, ...NOTHING });
  expect(approved?.before).toMatchObject(NOTHING);
  expect(approved?.after).toMatchObject({ businessName: "Karak Palace", ...wanted });
});

test("removing them waits too, and a rejection keeps the old and drops the new picture", async () => {
  const shop = await shopOf("pending");
  const old = await uploaded(shop.owner, "#1e3a6e");
  await change(shop.owner, { businessNameAr: "كرك", logo: old, colour: "#1e3a6e" });
  await db.merchant.update({ where: { id: shop.id }, data: { status: "approved" } });
  const removed = await change(shop.owner, { businessNameAr: null, logo: null, colour: null });
  expect(removed.pending).toMatchObject(NOTHING);
  const first = await uploaded(shop.owner, "#6b3f1d");
  await change(shop.owner, { logo: first });
  const second = await uploaded(shop.owner, "#9b1c1c");
  const { pending } = await change(shop.owner, { logo: second });
  expect(await isServed(db, first)).toBe(false);
  const no = { id: shop.id, changeId: pending?.id ?? "", status: "rejected", reason: "Not yours" } as const;
  await decideProfile(shop.admin, no);
  expect(await shop.profile()).toMatchObject({ businessNameAr: "كرك", logoKey: old, colour: "#1e3a6e" });
  expect([await isServed(db, old), await isServed(db, second)]).toEqual([true, false]);
  await change(shop.owner, { colour: "#5b2a86", logo: await uploaded(shop.owner, "#5b2a86") });
  await cancelProfileChange(shop.owner, {});
  expect(await viewBusiness(shop.owner, {})).toMatchObject({ logoKey: old, pending: null });
});

test("saving the form as it was changes nothing, and one picture is not used twice", async () => {
  const shop = await shopOf("approved");
  const { businessName } = shop.merchant;
  const same = { businessName, businessNameAr: "", colour: "", image: null, logo: null };
  expect((await change(shop.owner, same)).pending).toBeNull();
  const key = await uploaded(shop.owner, "#0f5257");
  const twice = change(shop.owner, { image: key, logo: key });
  await expect(twice).rejects.toMatchObject({ code: "upload_unknown" });
  expect((await viewBusiness(shop.owner, {})).pending).toBeNull();
  const others = await uploaded((await shopOf("approved")).owner, "#0f5257");
  await expect(change(shop.owner, { logo: others })).rejects.toMatchObject({
    code: "upload_unknown",
  });
});

test.each(["red", "#12345", "#12345g", "javascript:1"])("the colour %j is refused", (colour) => {
  expect(updateBusinessSchema.safeParse({ colour }).error?.issues).toMatchObject([
    { path: ["colour"], message: "validation.colour" },
  ]);
});

test("the Arabic name has the limits of the other one", () => {
  const parse = (businessNameAr: string) => updateBusinessSchema.safeParse({ businessNameAr }).success;
  expect([parse("ك".repeat(80)), parse("ك".repeat(81)), parse("<b>"), parse("a\u0000b")]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
