import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { consume } from "@/lib/db/rate-limit";
import { importImage } from "@/lib/files/attach";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeMerchant } from "@/lib/testing/factories";
import { testFolder } from "@/lib/testing/folder";
import { POSTER_KINDS, type PosterKind } from "./model/poster-kinds";
import { posterPdf } from "./poster";

const db = await testDb();
const folder = testFolder("posters");

const run = (command: string, args: string[]) =>
  execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** The page as a picture at 150 dots per inch: its path, its codes and its size in points. */
function lookAt(bytes: Buffer, name: string) {
  const stem = join(folder, name);
  writeFileSync(`${stem}.pdf`, bytes);
  run("pdftoppm", ["-r", "150", "-png", "-singlefile", `${stem}.pdf`, stem]);
  const codes = run("zbarimg", ["-q", "--raw", `${stem}.png`])
    .trim()
    .split("\n");
  return { png: `${stem}.png`, codes, info: run("pdfinfo", [`${stem}.pdf`]), pdf: `${stem}.pdf` };
}

/** How often each has the code of the sign-up link. */
const CODES: Record<PosterKind, number> = { poster: 1, counter: 2, square: 6, round: 6 };

test.each([
  ...POSTER_KINDS.map((kind) => ({ kind, language: "both" as const })),
  { kind: "counter" as const, language: "en" as const },
  { kind: "square" as const, language: "ar" as const },
])("a $kind in $language is one A4 page whose codes open the sign-up link", async ({ kind, language }) => {
  const logo = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#00ff00" } })
    .png()
    .toBuffer();
  const shop = await makeMerchant(db, {
    businessName: "Karak House",
    businessNameAr: "بيت الكرك",
    colour: "#8a1538",
    logoKey: await importImage(db, logo, "image/png"),
  });
  const { bytes, fileName } = await posterPdf(contextOf(db, shop.owner), { kind, language });
  expect(fileName).toMatch(/^Karak-House-[a-z-]+\.pdf$/);
  const { png, codes, info, pdf } = lookAt(bytes, `${kind}-${language}`);
  expect(info).toMatch(/Pages:\s+1\n/);
  expect(info).toContain("(A4)");
  const link = `http://localhost:3000/customer/signup/${shop.merchant.publicId}`;
  expect(codes).toEqual(Array.from({ length: CODES[kind] }, () => link));
  const english = run("pdftotext", [pdf, "-"]).includes("Karak House");
  expect(english).toBe(language !== "ar");
  const { data, info: size } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  const has = (wanted: (r: number, g: number, b: number) => boolean) => {
    for (let at = 0; at < data.length; at += size.channels)
      if (wanted(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) return true;
    return false;
  };
  expect(has((r, g, b) => r === 0x8a && g === 0x15 && b === 0x38)).toBe(true);
  // A round sticker has no room for the logo.
  expect(has((r, g, b) => g > 200 && r < 60 && b < 60)).toBe(kind !== "round");
});

test("the poster is for the owner of an approved merchant", async () => {
  const { owner, merchant } = await makeMerchant(db, { businessName: "قهوة المجلس" });
  const wanted = { kind: "poster", language: "both" } as const;
  const { bytes, fileName } = await posterPdf(contextOf(db, owner), wanted);
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
  expect(fileName).toBe("قهوة-المجلس-poster.pdf");
  const businessName = `x"'></script>`;
  await db.merchant.update({ where: { id: merchant.id }, data: { businessName } });
  const marked = await posterPdf(contextOf(db, owner), wanted);
  expect(marked.bytes.toString("latin1").match(/\/(JavaScript|OpenAction|Launch)/)).toBeNull();
  for (const status of ["pending", "rejected"] as const) {
    const waiting = await makeMerchant(db, { status });
    const refused = posterPdf(contextOf(db, waiting.owner), wanted);
    await expect(refused).rejects.toMatchObject({ code: `merchant_${status}` });
  }
});

test("thirty sheets are drawn in a minute for one person", async () => {
  const shop = await makeMerchant(db);
  await consume(db, { name: "poster", points: 30, seconds: 60 }, shop.owner.id, 30);
  const asked = posterPdf(contextOf(db, shop.owner), { kind: "counter", language: "en" });
  await expect(asked).rejects.toMatchObject({ code: "rate_limited" });
});
