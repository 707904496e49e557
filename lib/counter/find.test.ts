import { describe, expect, test } from "vitest";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { endLots } from "@/lib/testing/end-lots";
import { makeAdmin, makeCustomer, makeMerchant, makeWorker, uniqueEmail } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { postRow } from "@/lib/testing/post-rows";

const view = handlerOf("GET", "customer-management/view/{id}");
const search = handlerOf("GET", "top-up-points/search-customers");

const db = await testDb();
const find = async (token: string, term: string) => {
  const answer = await call(search, { token, query: `?search=${encodeURIComponent(term)}` });
  return (answer.data as { sFullName: string }[]).map((found) => found.sFullName);
};

describe("the search", () => {
  test("finds customers of the same merchant by three letters of name, e-mail or phone", async () => {
    const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
    const token = await tokenOf(db, await makeWorker(db, shop));
    const admin = await tokenOf(db, await makeAdmin(db));
    const email = uniqueEmail("noura");
    await makeCustomer(db, shop, { fullName: "Noura Al-Kuwari", phone: "+97455123987", email });
    await makeCustomer(db, shop, { fullName: "ليلى الكواري" });
    await makeCustomer(db, other, { fullName: "Noura Elsewhere", phone: "+97455123986" });
    await makeCustomer(db, shop, { fullName: "100%_off" });
    expect(await find(token, "NOU")).toEqual(["Noura Al-Kuwari"]);
    expect(await find(token, "kuw")).toEqual(["Noura Al-Kuwari"]);
    const owner = await tokenOf(db, shop.owner);
    expect(await find(owner, "5512 398")).toEqual(["Noura Al-Kuwari"]);
    expect(await find(token, "+974 ٥٥١٢ ٣٩٨٧")).toEqual(["Noura Al-Kuwari"]);
    expect(await find(token, "\u202a+974 5512 3987\u202c")).toEqual(["Noura Al-Kuwari"]);
    expect(await find(owner, email.slice(0, 12))).toEqual(["Noura Al-Kuwari"]);
    expect(await find(token, "كوار")).toEqual(["ليلى الكواري"]);
    expect(await find(token, "%_o")).toEqual(["100%_off"]);
    expect(await find(token, "%%%")).toEqual([]);
    expect(await find(token, "no")).toEqual([]);
    expect(await find(token, "")).toEqual([]);
    expect(await find(admin, "Noura ")).toEqual(["Noura Al-Kuwari", "Noura Elsewhere"]);
  });

  test("finds by the whole of an e-mail, a phone or a card id who has it, and by a part of it all who do", async () => {
    const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
    const email = uniqueEmail("hamad");
    const one = await makeCustomer(db, shop, { fullName: "One Card", email, phone: "+97455001122" });
    await makeCustomer(db, shop, { fullName: "Two Cards", email: `al.${email}`, phone: "+97455001133" });
    await makeCustomer(db, other, { fullName: "Three Cards", email });
    const owner = await tokenOf(db, shop.owner);
    const admin = await tokenOf(db, await makeAdmin(db));
    expect(await find(owner, email.slice(0, -1))).toEqual(["One Card", "Two Cards"]);
    expect(await find(owner, email.toUpperCase())).toEqual(["One Card"]);
    expect(await find(owner, "5500 1122")).toEqual(["One Card"]);
    expect(await find(owner, one.publicId.toUpperCase())).toEqual(["One Card"]);
    expect(await find(admin, email)).toEqual(["One Card", "Three Cards"]);
    const nobody = await tokenOf(db, (await makeMerchant(db)).owner);
    expect(await find(nobody, email)).toEqual([]);
  });

  test("makes no difference between forms of Arabic letters, hyphens, spaces, accents and cases", async () => {
    const shop = await makeMerchant(db);
    const token = await tokenOf(db, await makeWorker(db, shop));
    const names = ["نورة آل ثاني", "أحمد إبراهيم", "مُصطفى", "Al-Thani, Hamad", "José  Núñez", "عائشة"];
    for (const fullName of names) await makeCustomer(db, shop, { fullName });
    const found: [string, string | undefined][] = [
      ["نوره", names[0]],
      ["ال ثانى", names[0]],
      ["احمد ابراهيم", names[1]],
      ["مصطفي", names[2]],
      ["al thani", names[3]],
      ["AL-THANI", names[3]],
      ["al‑thani", names[3]],
      ["jose nunez", names[4]],
      ["عايشه", names[5]],
      ["عـائـشـة", names[5]],
    ];
    for (const [term, name] of found) expect([term, await find(token, term)]).toEqual([term, [name]]);
    for (const term of ["---", "ًًً", "－－－"]) expect(await find(token, term)).toEqual([]);
  });

  test("answers at most twenty customers under the API's names, and no erased card", async () => {
    const shop = await makeMerchant(db);
    const token = await tokenOf(db, shop.owner);
    await Promise.all(
      Array.from({ length: 21 }, (_, at) => makeCustomer(db, shop, { fullName: `Twin ${at}` })),
    );
    const erased = { email: null, phone: null, dateOfBirth: null, erasedAt: new Date() };
    await makeCustomer(db, shop, { fullName: "Gone Person", status: "erased", ...erased });
    expect(await find(token, "twin")).toHaveLength(20);
    expect(await find(token, "gone")).toEqual([]);
    const answer = await call(search, { token, query: "?search=twin%2011" });
    expect(answer).toMatchObject({ status: 200, data: [{ sBalance: 0, sCashValue: "0.00" }] });
    expect(await call(search, { token, query: `?search=${"x".repeat(101)}` })).toMatchObject({
      status: 400,
      code: "validation",
    });
    expect(await call(search, { query: "?search=twin" })).toMatchObject({ status: 401 });
    const admin = await tokenOf(db, await makeAdmin(db, { role: "admin" }));
    expect(await call(search, { token: admin, query: "?search=twin" })).toMatchObject({ status: 403 });
  });
});

test("the search shows what can be spent, and the mark of a staff's card is for the owner", async () => {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop, { fullName: "Bonus Holder", phone: worker.phone });
  const ends_at = new Date(Date.now() + 86_400_000);
  await postRow(db, shop, { type: "TOP_UP", customer: customer.id, points: 70 });
  await postRow(db, shop, { type: "BONUS", customer: customer.id, points: 30, reason: "x", ends_at });
  const [owned, served] = [await tokenOf(db, shop.owner), await tokenOf(db, worker)];
  const balances = async () => {
    const found = (await call(search, { token: owned, query: "?search=Bonus%20Holder" })).data;
    return (found as { sBalance: number; sCashValue: string }[]).map((one) => [one.sBalance, one.sCashValue]);
  };
  expect(await balances()).toEqual([[100, "100.00"]]);
  await endLots(db, customer.id);
  expect(await balances()).toEqual([[70, "70.00"]]);
  const params = { id: customer.id };
  expect((await call(view, { token: owned, params })).data).toMatchObject({
    bHeldByStaff: true,
    sBalance: 70,
  });
  expect((await call(view, { token: served, params })).data).not.toHaveProperty("bHeldByStaff");
});
