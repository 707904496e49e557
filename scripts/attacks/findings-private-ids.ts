import { openSession } from "@/lib/accounts/session";
import type { Customer, User } from "@/lib/db/generated/client";
import { formatPhone } from "@/lib/domain/contact";
import { tokenOf } from "@/lib/testing/calls";
import { makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { makeTill, type TillKey } from "@/lib/testing/tills";
import type { Tally } from "./tally";
import type { Target } from "./target";

type Thief = { user: User; token: string; till?: TillKey };

/** The facts that a customer's card shows to a person who opens it, and that nobody else may learn. */
const secretsOf = ({ id, email, phone }: Customer) => [id, email ?? "", (phone ?? "").replace("+974", "")];

/** Every answer in which an employee or a till meets this customer, as text. */
async function answersAbout(target: Target, { token, till }: Thief, card: Customer): Promise<string[]> {
  const call = async (name: string, given: object = {}) => {
    const answer = await target.api(name, { token, till, ...given });
    return `${name} ${answer.status} ${answer.text}`;
  };
  const { id: branch } = await target.db.branch.findFirstOrThrow({ where: { merchantId: card.merchantId } });
  const body = { customerId: card.id, iBranchId: branch, sPoints: 5 };
  const search = { query: { search: card.fullName } };
  return [
    await call("get /top-up-points/search-customers", search),
    await call("get /search", search),
    await call("get /customer-management/view/{id}", { params: { id: card.id } }),
    await call("post /top-up-points", { body }),
    await call("post /redeem-points", { body: { ...body, sSaleRef: "INV-20" } }),
    await call("get /recent-top-ups"),
    await call("get /recent-redeems"),
    await call("get /redeem-points/find", { query: { sSaleRef: "INV-20" } }),
    await call("get /transactions", { query: { customer: card.id } }),
    await call("get /transactions/export"),
    await call("get /customers/totals"),
    await call("get /notices"),
    await call("get /activity"),
  ];
}

/** The same on pages, which need the server; and the card's own pages, with what the employee saw. */
async function openPages(
  target: Target,
  tally: Tally,
  { worker, card, movement }: { worker: User; card: Customer; movement: string },
): Promise<void> {
  const { cookie } = await target.panelOf(worker);
  const counter = [`/topup/${card.publicId}`, "/employee/topup", "/employee/redeem"];
  const lists = ["/employee/transactions", `/employee/transactions/${movement}`, "/employee/dashboard"];
  for (const path of [...counter, ...lists]) {
    for (const rsc of [false, true]) {
      const { text } = await target.page(path, { cookie, headers: rsc ? { rsc: "1" } : {} });
      tally.try(!text.includes(card.id), `${path} holds the private id`);
    }
  }

  // A stranger with what the employee saw.
  const pages = (id: string) => [
    `/customer/loyalty-card/${id}`,
    `/customer/${id}/apple-wallet-pass`,
    `/api/customer/${id}/loyalty-card.pdf`,
    `/api/customer/${id}/apple-wallet-pass`,
    `/api/customer/${id}/google-wallet-link`,
    `/api/customer/${id}/balance`,
    `/api/customer/${id}/my-data`,
  ];
  for (const path of pages(card.publicId)) {
    const { status, text } = await target.page(path);
    const told = secretsOf(card).filter((secret) => text.includes(secret));
    tally.try(told.length === 0, `${path} answers ${status} with ${told}`);
    if (path.startsWith("/api/")) tally.status(status, [403, 404, 501, 503], path);
  }
  const { text } = await target.page(`/customer/loyalty-card/${card.id}`);
  tally.works(text.includes(card.fullName), "opening the card by the private id");
  // A forwarded link: without the holder's cookie the contacts are masked.
  for (const contact of [...secretsOf(card).slice(1), formatPhone(card.phone ?? "")])
    tally.try(!text.includes(contact), `the card's page tells ${contact} to a stranger`);
}

/** 20: an employee's answers and pages hold the private id, which opens the card with its e-mail and phone. */
export async function openCardOfCustomer(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const shop = await makeMerchant(db);
  const card = await makeCustomer(db, shop, { fullName: "Layla Haddad" });
  const [worker, cashier] = [await makeWorker(db, shop), await makeWorker(db, shop)];
  const { id: movement } = await move(db, shop, card, { points: 100, actor: worker });
  const { till, key } = await makeTill(db, shop);
  const from = { userId: cashier.id, userAgent: null, address: "127.0.0.1", now: new Date() };
  const byPin = await openSession(db, { ...from, tillId: till.id });
  const thieves = [
    { user: worker, token: await tokenOf(db, worker) },
    { user: cashier, token: byPin.token, till: key },
  ];
  for (const thief of thieves) {
    const answers = await answersAbout(target, thief, card);
    for (const text of answers) tally.try(!text.includes(card.id), `the private id in ${text.slice(0, 200)}`);
    const met = answers.filter((text) => text.includes(card.publicId)).length;
    tally.works(met > 6, `meeting the customer in ${met} answers`);
  }
  if (target.stage.url) await openPages(target, tally, { worker, card, movement });
}
