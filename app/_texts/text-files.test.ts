import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { GET } from "@/app/texts/[locale]/[file]/route";
import { textsAddress, textsOfFile } from "@/components/theme/texts";
import { LOCALES, ROLES } from "@/lib/domain/roles";
import ar from "@/messages/ar.json";
import lists from "./client-texts.json";
import { type Entry, FRAME, textFile } from "./text-files";

const entries = Object.keys(lists) as Entry[];
const files = LOCALES.flatMap((locale) => [
  ...entries.filter((entry) => entry !== FRAME).map((entry) => textFile(locale, entry)),
  ...ROLES.map((role) => textFile(locale, FRAME, role)),
]);

function ask(address: string): Promise<Response> {
  const [, , locale = "", file = ""] = address.split("/");
  const params = Promise.resolve({ locale, file });
  return GET(new Request(`http://localhost${address}`), { params });
}

/** What a browser has after it ran the answer. */
async function run(answer: Response): Promise<unknown> {
  const self: { walletTexts?: Record<string, unknown> } = {};
  runInNewContext(await answer.text(), { self });
  return JSON.parse(JSON.stringify(self.walletTexts));
}

test("each page's file has a name of its own and says what the server renders with", async () => {
  expect(new Set(files.map((file) => file.split(".")[0])).size).toBe(files.length);
  for (const file of files) {
    const answer = await ask(textsAddress(file));
    expect([file, answer.status, answer.headers.get("cache-control")]).toEqual([
      file,
      200,
      "public, max-age=31536000, immutable",
    ]);
    expect(await run(answer)).toEqual({ [file.split(".")[0] ?? ""]: textsOfFile(file) });
  }
});

test("the file of a panel's frame has the titles of its role, the others do not", async () => {
  const texts = await Promise.all(
    ROLES.map(async (role) => (await ask(textsAddress(textFile("ar", FRAME, role)))).text()),
  );
  const shows = (text: string) => ROLES.filter((_, index) => texts[index]?.includes(text));
  expect(shows(ar.panels.titles.administrators)).toEqual(["super_admin"]);
  expect(shows(ar.panels.titles.topup)).toContain("branch_worker");
});

test("a page of another version gets this version's texts, which nobody keeps; nothing else has an answer", async () => {
  const file = textFile("en", "(auth)/login");
  const other = await ask(`/texts/${file.split(".")[0]}.AAAAAAAA.js`);
  expect([other.status, other.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(await run(other)).toEqual({ [file.split(".")[0] ?? ""]: textsOfFile(file) });
  for (const address of ["/texts/en/aaaaa.AAAAAAAA.js", `/texts/fr/${file.slice(3)}.js`, "/texts/en/x"]) {
    expect([address, (await ask(address)).status]).toEqual([address, 404]);
  }
});
