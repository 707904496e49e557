import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, publicContext } from "@/lib/testing/factories";
import { testFolder } from "@/lib/testing/folder";
import { withSecrets } from "@/lib/testing/with-secrets";
import { cardLink } from "./card";
import { addCardDevice } from "./card-holder";
import { CARD, cardPdf } from "./card-pdf";

const db = await testDb();
const call = withSecrets(publicContext(db));
const folder = testFolder("pdf");

async function pdfOf(customer: { id: string }, locale?: "en" | "ar", holder?: string) {
  const { bytes, fileName } = await call(cardPdf, { customerId: customer.id, locale, holder });
  const path = join(folder, `${customer.id}-${locale ?? "own"}.pdf`);
  writeFileSync(path, bytes);
  return { path, fileName };
}

const textOf = (path: string) => execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8" });

/** The page at 150 dots per inch, and the text of its QR. */
function scan(path: string): { png: Buffer; code: string } {
  const stem = path.replace(/\.pdf$/, "");
  execFileSync("pdftoppm", ["-r", "150", "-png", "-singlefile", path, stem]);
  const code = execFileSync("zbarimg", ["-q", "--raw", `${stem}.png`], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return { png: readFileSync(`${stem}.png`), code: code.trim() };
}

test("the PDF is one A4 page, and its QR is the top-up link without a live code", async () => {
  const shop = await makeMerchant(db, { businessName: "Karak House" });
  const customer = await makeCustomer(db, shop, {
    fullName: "Layla Al Haddad",
    email: `layla.${Date.now()}@example.test`,
    registeredAt: new Date("2026-03-01T21:30:00Z"),
  });
  const { path, fileName } = await pdfOf(customer);
  expect(fileName).toBe("loyalty-card-Layla-Al-Haddad.pdf");
  const info = execFileSync("pdfinfo", [path], { encoding: "utf8" });
  expect(info).toMatch(/Pages:\s+1\n/);
  expect(info).toContain("595.28 x 841.89 pts (A4)");
  expect(scan(path).code).toBe(cardLink(customer.publicId));
  const text = textOf(path);
  for (const words of [
    "Karak House",
    "Scan to earn Cash",
    "Cash Available",
    "Layla Al Haddad",
    customer.code ?? "",
    // The day as the web card says it.
    "2 Mar 2026",
  ]) {
    expect(text).toContain(words);
  }
  expect(text).not.toContain(customer.publicId);
  // Without the holder's cookie the contacts are masked.
  expect(text).not.toContain(customer.email);
  expect(text).toContain("l•••@example.test");
  expect(text).toMatch(/\+974 •••• \d{4}/);
  // The balance in QAR comes first, as on the web card.
  expect(text).toMatch(/QAR 0\.00[\s\S]*0 pts/);
  // The QR's image has three pixels per printed point.
  const images = execFileSync("pdfimages", ["-list", path], { encoding: "utf8" });
  expect(images).toMatch(/\s450\s+450\s/);
});

test("in Arabic, letters are joined right to left, and e-mail and digits are not reversed", async () => {
  const shop = await makeMerchant(db, { businessName: "بيت الكرك" });
  const email = `layla.${Date.now()}@example.test`;
  const customer = await makeCustomer(db, shop, {
    fullName: "ليلى حداد",
    email,
    phone: "+97455123456",
    locale: "ar",
  });
  const holder = await addCardDevice(db, customer.id, new Date());
  const { path, fileName } = await pdfOf(customer, undefined, holder);
  expect(fileName).toBe("loyalty-card-ليلى-حداد.pdf");
  const text = textOf(path)
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .normalize("NFKC");
  for (const words of [
    "بيت الكرك",
    "ليلى حداد",
    "اعرض الرمز عند الصندوق لشحن رصيدك",
    email,
    "+974 5512 3456",
    customer.code ?? "",
  ]) {
    expect(text).toContain(words);
  }
  expect(scan(path).code).toBe(cardLink(customer.publicId));
});

test("a PDF with a script as a name runs nothing", async () => {
  const name = `x"'></script>`;
  const shop = await makeMerchant(db, { businessName: name });
  const { path } = await pdfOf(await makeCustomer(db, shop, { fullName: name }));
  expect(readFileSync(path, "latin1").match(/\/(JavaScript|OpenAction|Launch)/)).toBeNull();
});

test.each([
  ["The Old Souq Waqif Bakery, Coffee Roastery & Sweets Trading Company W.L.L.", "en"],
  ["شركة سوق واقف القديم للمخبوزات وتحميص القهوة وتجارة الحلويات الشرقية ذ.م.م", "ar"],
] as const)(
  "a long name of the merchant leaves room for what is below it: %s",
  async (businessName, locale) => {
    const shop = await makeMerchant(db, { businessName, firstName: "Hissah", lastName: "Zaid" });
    const { path } = await pdfOf(await makeCustomer(db, shop), locale);
    const boxes = execFileSync("pdftotext", ["-bbox", path, "-"], { encoding: "utf8" });
    /** The uppermost place of a word: its edges in points. */
    const placeOf = (word: string) =>
      [...boxes.matchAll(/yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]*)</g)]
        .filter(([, , , text]) => text === word)
        .map(([, top, bottom]) => ({ top: Number(top), bottom: Number(bottom) }))
        .sort((one, other) => one.top - other.top)[0] ?? { top: Number.NaN, bottom: Number.NaN };
    const caption = 10;
    expect(placeOf("Zaid").bottom).toBeLessThan(placeOf("0.00").top - caption);
  },
);

test.each([
  ["Mohammed Abdulrahman Abdulaziz Al-Thani bin Khalifa bin Hamad bin Jassim Al Kuw", "en"],
  ["محمد عبد الرحمن عبد العزيز آل ثاني بن خليفة بن حمد بن جاسم بن محمد بن ثاني", "ar"],
] as const)(
  "a long name of the holder stays on the card and beside the date: %s",
  async (fullName, locale) => {
    const shop = await makeMerchant(db, { businessName: "Karak" });
    const { path } = await pdfOf(await makeCustomer(db, shop, { fullName }), locale);
    const boxes = execFileSync("pdftotext", ["-bbox", path, "-"], { encoding: "utf8" });
    const margin = 48 + 26;
    const words = [...boxes.matchAll(/xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)"/g)]
      .map((found) => found.slice(1).map(Number) as [number, number, number, number])
      .map(([left, top, right, bottom]) => ({ left, right, middle: (top + bottom) / 2 }))
      .filter(({ middle }) => middle < 48 + CARD.height);
    for (const word of words) {
      expect(word.left).toBeGreaterThan(margin - 1);
      expect(word.right).toBeLessThan(595.28 - margin + 1);
      const beside = words.filter((one) => one !== word && Math.abs(one.middle - word.middle) < 4);
      for (const { left, right } of beside)
        expect(left >= word.right - 1 || right <= word.left + 1).toBe(true);
    }
    // Its second line begins where the first one does.
    const lowest = Math.max(...words.map(({ middle }) => middle));
    const second = words.filter(({ middle }) => lowest - middle < 4);
    if (locale === "en") expect(Math.min(...second.map(({ left }) => left))).toBeLessThan(margin + 5);
    else expect(Math.max(...second.map(({ right }) => right))).toBeGreaterThan(595.28 - margin - 5);
  },
);
