import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { addCardDevice, setCardLocale } from "@/lib/cards/card-holder";
import { cardColours } from "@/lib/cards/model/card-colours";
import type { Locale } from "@/lib/domain/roles";
import { noteUrl } from "@/lib/files/note";
import { translator } from "@/lib/i18n/translate";
import { runDue } from "@/lib/jobs/run-due";
import { updateBusiness } from "@/lib/merchants/business";
import { decideProfile } from "@/lib/merchants/decide-merchant";
import { TASKS } from "@/lib/tasks";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, publicContext } from "@/lib/testing/factories";
import { callPass, makePassCard } from "@/lib/testing/passes";
import { startWalletServers } from "@/lib/testing/wallet-servers";
import { withSecrets } from "@/lib/testing/with-secrets";

const wallets = await startWalletServers();
const db = await testDb();
const { handlerOf } = await import("@/lib/testing/handlers");
const saveLink = handlerOf("GET", "customer/{id}/google-wallet-link");

test("the save link contains the card, and a movement updates the object, also after a failed attempt", async () => {
  const { add, customer, shop } = await makePassCard(db);
  const link = (await callPass(saveLink, { id: customer.id })).headers.get("location") ?? "";
  const jwt = link.replace("https://pay.google.com/gp/v/save/", "");
  expect(decodeJwt(jwt)).toMatchObject({
    iss: "wallet@project.iam.test",
    aud: "google",
    payload: {
      loyaltyObjects: [{ accountName: customer.fullName, loyaltyPoints: { balance: { int: 0 } } }],
    },
  });
  expect(decodeJwt(jwt)).toMatchObject({
    payload: {
      loyaltyClasses: [
        {
          issuerName: shop.merchant.businessName,
          hexBackgroundColor: cardColours(shop.merchant.id, null, null).via,
          heroImage: {
            sourceUri: {
              uri: noteUrl({
                ...shop.merchant,
                imageKey: null,
                colours: cardColours(shop.merchant.id, null, null),
              }),
            },
          },
        },
      ],
    },
  });
  wallets.googleAnswers = [503];
  await add(75);
  await runDue(undefined, TASKS);
  await db.$executeRaw`
    select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`;
  await runDue(undefined, TASKS);
  const { serial } = await db.pass.findUniqueOrThrow({ where: { customerId: customer.id } });
  const mine = wallets.patched.filter(({ path }) => path.endsWith(`.${serial}`));
  expect(mine).toHaveLength(2);
  expect(mine[1]).toMatchObject({
    authorization: "Bearer a-token",
    body: { loyaltyPoints: { balance: { int: 75 } } },
  });
});

test("a merchant's new name updates its class", async () => {
  const { customer, shop } = await makePassCard(db);
  await callPass(saveLink, { id: customer.id });
  const { pending } = await updateBusiness(contextOf(db, shop.owner), { businessName: "Karak Palace" });
  const decision = { id: shop.merchant.id, changeId: pending?.id ?? "", status: "approved" } as const;
  await decideProfile(contextOf(db, await makeAdmin(db)), decision);
  await runDue(undefined, TASKS);
  const mine = wallets.patched.filter(({ path }) => path.endsWith(`.${shop.merchant.id}`));
  expect(mine).toMatchObject([
    { path: expect.stringContaining("/loyaltyClass/"), body: { issuerName: "Karak Palace" } },
  ]);
});

test("a holder who chooses another language has the texts of the saved card in it", async () => {
  const { customer } = await makePassCard(db);
  await callPass(saveLink, { id: customer.id });
  const holder = await addCardDevice(db, customer.id, new Date());
  const choose = (locale: Locale) =>
    withSecrets(publicContext(db))(setCardLocale, { customerId: customer.id, locale, holder });
  await choose("ar");
  await runDue(undefined, TASKS);
  // The one that it has already changes nothing.
  await choose("ar");
  await runDue(undefined, TASKS);
  const { serial } = await db.pass.findUniqueOrThrow({ where: { customerId: customer.id } });
  expect(wallets.patched.filter(({ path }) => path.endsWith(`.${serial}`))).toMatchObject([
    { body: { textModulesData: [{ header: translator("ar")("pass.worth") }] } },
  ]);
});
