import { randomUUID } from "node:crypto";
import { liveCode } from "@/lib/ledger/proof";
import { tokenOf } from "@/lib/testing/calls";
import {
  makeAdmin,
  makeCustomer,
  makeMerchant,
  makeWorker,
  randomPhone,
  uniqueEmail,
} from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { makeHeld } from "@/lib/testing/pending";
import type { Tally } from "./tally";
import type { Target } from "./target";

/** 1: one administrator makes a point worth QAR 1,000. */
export async function changeValueAlone(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const { merchantId, mails } = await makeHeld(db);
  const admin = await tokenOf(db, await makeAdmin(db, { role: "admin" }));
  const rules = {
    iMinTopup: 1,
    iMaxTopup: 5000,
    iMaxBalance: 20_000,
    iUndoMinutes: 15,
    iMerchantId: merchantId,
  };
  const inForce = async () => {
    const { body } = await target.api("get /points-config", {
      token: admin,
      query: { iMerchantId: merchantId },
    });
    return body?.data as {
      iDirhamsPerPoint: number;
      oPending: { _id: string; bNeedsApproval: boolean } | null;
    };
  };
  const raise = { ...rules, iDirhamsPerPoint: 100_000 };
  await target.api("put /points-config", { token: admin, body: raise });
  const { iDirhamsPerPoint, oPending } = await inForce();
  tally.try(iDirhamsPerPoint === 100, `the value is ${iDirhamsPerPoint} at once`);
  tally.try(oPending?.bNeedsApproval === true, "a step of more than 20 % needs no second administrator");
  for (const until = Date.now() + 10_000; (await mails()).length === 0 && Date.now() < until; )
    await target.runJobs();
  tally.try((await mails()).length > 0, "the owner was not notified");
  const approve = { token: admin, params: { id: oPending?._id ?? "" } };
  const own = await target.api("put /points-config/pending/{id}/approval", approve);
  tally.try(own.status >= 400, `who asked approves alone: ${own.status}`);
  // 30: an account that is made for it after the request.
  const made = await makeAdmin(db, { role: "admin", createdAt: new Date() });
  const second = await target.api("put /points-config/pending/{id}/approval", {
    token: await tokenOf(db, made),
    params: approve.params,
  });
  tally.status(second.status, [403], "an administrator who is made after the request approves");
  await db.$executeRaw`update pending_changes set effective_at = now() - interval '1 minute' where merchant_id = ${merchantId}::uuid and closed_at is null`;
  await target.runJobs();
  tally.try((await inForce()).iDirhamsPerPoint === 100, "without approval it takes effect after its wait");
  const other = await tokenOf(db, await makeAdmin(db, { role: "admin" }));
  // Small enough to need no approval: it waits, and any administrator cancels it.
  await target.api("put /points-config", { token: admin, body: { ...rules, iDirhamsPerPoint: 110 } });
  await target.runJobs();
  const small = await inForce();
  tally.try(small.iDirhamsPerPoint === 100 && small.oPending !== null, "a small step does not wait 24 hours");
  const cancelled = await target.api("delete /points-config/pending/{id}", {
    token: other,
    params: { id: small.oPending?._id ?? "" },
  });
  tally.works(cancelled.status === 200, "cancelling by another administrator");
}

/** 4: a member of staff serves their own card after changing their phone, and a worker tops up without bound. */
export async function serveOwnCard(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const shop = await makeMerchant(db, { refundDays: 30 });
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop, { phone: worker.phone });
  await move(db, shop, customer, { points: 100 });
  const spent = await move(db, shop, customer, { type: "REDEEM", points: 10 });
  const token = await tokenOf(db, worker);
  const changed = await target.api("put /auth/update-profile", {
    token,
    body: { sPhoneNumber: randomPhone() },
  });
  tally.works(changed.status === 200, "changing the phone");
  const at = { customerId: customer.id, iBranchId: shop.branch.id, sPoints: 5 };
  const body = { ...at, sReason: "x" };
  const owned = async (name: string, call: object) => {
    const answer = await target.api(name, { token, ...call });
    tally.try(answer.body?.code === "own_card", `${name}: ${answer.status} ${answer.body?.code}`);
  };
  await owned("post /top-up-points", { body: at });
  await owned("post /redeem-points", { body: at });
  await owned("post /transactions/{id}/refund", { params: { id: spent.id }, body: { sReason: "x" } });
  // The owner's card, by a former e-mail.
  const owners = await makeCustomer(db, shop, { email: shop.owner.email });
  await db.user.update({ where: { id: shop.owner.id }, data: { email: uniqueEmail() } });
  const owner = await tokenOf(db, shop.owner);
  const posted = await move(db, shop, owners, { points: 5, actor: worker });
  await owned("post /bonus-points", { token: owner, body: { ...body, customerId: owners.id } });
  await owned("post /transactions/{id}/reverse", {
    token: owner,
    params: { id: posted.id },
    body: { sReason: "x" },
  });
  const marked = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
  tally.try(marked.heldByStaff, "a card of staff is not marked");

  const { id } = await signUpShop(target);
  const branch = await db.branch.findFirstOrThrow({ where: { merchantId: id } });
  const merchant = await db.merchant.findUniqueOrThrow({ where: { id } });
  const busy = await tokenOf(db, await makeWorker(db, { merchant, branch }));
  let [sum, refused] = [0, ""];
  for (let n = 0; n < 6 && !refused; n += 1) {
    const card = await makeCustomer(db, { merchant });
    const more = { customerId: card.id, iBranchId: branch.id, sPoints: 5000 };
    const answer = await target.api("post /top-up-points", { token: busy, body: more });
    if (answer.status === 200) sum += 5000;
    else refused = answer.body?.code ?? "";
  }
  tally.try(
    sum === 20_000 && refused !== "",
    `a worker of a new merchant tops up ${sum} in a day (${refused})`,
  );
}

/** A merchant that signed up and was approved by the API. */
export async function signUpShop(target: Target, names: object = {}): Promise<{ id: string; email: string }> {
  const email = uniqueEmail("owner");
  const { body } = await target.api("post /auth/merchant/signup", {
    body: {
      sBusinessName: "Souq Dates",
      sFirstName: "Hamad",
      sLastName: "Al Kuwari",
      sEmail: email,
      sPhoneNumber: randomPhone(),
      sPassword: "a long new password 7",
      branch: { sBranchName: "Souq", sCity: "Doha" },
      ...names,
    },
  });
  const id = (body?.data as { _id: string } | undefined)?._id ?? "";
  const approval = { token: target.world.tokens.super, params: { id }, body: { eStatus: "A" } };
  await target.api("put /merchants/{id}/approval", approval);
  return { id, email };
}

/** 5: a code proves more than it was made for, and more is taken without proof than anybody allowed. */
export async function stretchProofs(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const shop = await makeMerchant(db, { redeemAllowance: 50, unprovedWorkerDaily: 120 });
  const token = await tokenOf(db, await makeWorker(db, shop));
  const card = async () => {
    const customer = await makeCustomer(db, shop);
    await move(db, shop, customer, { points: 1000 });
    return customer;
  };
  const redeem = (customer: { id: string }, sPoints: number, sProof?: string) =>
    target.api("post /redeem-points", {
      ...{
        token,
        body: { customerId: customer.id, iBranchId: shop.branch.id, sPoints, ...(sProof ? { sProof } : {}) },
      },
    });
  const mailed = await card();
  await target.api("post /redeem-points/code", { token, body: { customerId: mailed.id, sPoints: 300 } });
  const text = await target.mail(mailed.email ?? "", /\d{6}/);
  tally.try(
    text.includes("300") && text.includes(shop.merchant.businessName),
    "the mail names no amount or merchant",
  );
  const code = await target.code(mailed.email ?? "");
  tally.status((await redeem(mailed, 301, code)).status, [403, 409, 422], "a code mailed for 300 pays 301");
  tally.works((await redeem(mailed, 300, code)).status === 200, "the mailed code");
  tally.status((await redeem(mailed, 100, code)).status, [403, 409, 422], "a mailed code pays twice");

  const live = await card();
  const shown = liveCode(live.id, new Date());
  const both = await Promise.all(Array.from({ length: 6 }, () => redeem(live, 100, shown)));
  const paid = both.filter(({ status }) => status === 200).length;
  tally.try(paid === 1, `a live code paid ${paid} times of 6`);
  tally.status((await redeem(live, 60)).status, [403, 409, 422], "60 without proof, of an allowance of 50");

  const cards = await Promise.all(Array.from({ length: 8 }, card));
  const taken = await Promise.all(cards.map((one) => redeem(one, 40)));
  const sum = taken.filter(({ status }) => status === 200).length * 40;
  tally.try(sum <= 120, `a worker took ${sum} without proof from many cards, of 120 a day`);
  const body = { iRedeemAllowance: 20_000 };
  const settings = { token: await tokenOf(db, shop.owner), params: { id: shop.merchant.id }, body };
  const answer = await target.api("put /merchants/{id}/settings", settings);
  tally.try(answer.status >= 400, `an owner sets the allowance to 20,000: ${answer.status}`);
}

/** 14: a worker lists the customers of the merchant, and reads without a trace. */
export async function findingCustomers(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const shop = await makeMerchant(db);
  const email = `layla.${randomUUID()}@customer.test`;
  const layla = await makeCustomer(db, shop, { fullName: "Layla Haddad", email, phone: "+97455120207" });
  const token = await tokenOf(db, await makeWorker(db, shop));
  const find = async (search: string) =>
    JSON.stringify(
      (await target.api("get /top-up-points/search-customers", { token, query: { search } })).body?.data,
    );
  for (const part of [email.slice(0, 12), "customer.test", "5512", "5512020", "97455", "@", "a", "%", "_"])
    tally.try((await find(part)) === "[]", `a search for ${part} finds ${await find(part)}`);
  const byName = await find("Hadd");
  tally.works(byName.includes(layla.publicId), "a search by a part of the name");
  tally.try(!byName.includes(email) && !byName.includes("5120207"), "a search by name shows e-mail or phone");
  for (const name of [
    "get /customer-management",
    "get /customers/totals",
    "get /customer-management/view/{id}",
  ]) {
    const params = { id: (await target.rival.customer()).id };
    const answer = await target.api(name, { token, params });
    tally.status(answer.status, [403, 404], `${name} by a worker`);
  }
  const opened = await target.api("get /customer-management/view/{id}", {
    token,
    params: { id: layla.publicId },
  });
  tally.works(opened.status === 200, "opening a customer");
  const trace = await db.audit.count({ where: { entityId: layla.id, action: "opening.customer" } });
  tally.try(trace > 0, "opening a customer leaves no trace");
  const owner = await tokenOf(db, shop.owner);
  const before = await db.audit.count({ where: { merchantId: shop.merchant.id } });
  await target.api("get /transactions/export", { token: owner });
  tally.try(
    (await db.audit.count({ where: { merchantId: shop.merchant.id } })) > before,
    "an export leaves no trace",
  );
}
