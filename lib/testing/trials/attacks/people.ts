import { newKeySecret } from "@/lib/api-keys/find-key";
import { addCardDevice } from "@/lib/cards/card-holder";
import { createDb, type Db } from "@/lib/db/client";
import type { User } from "@/lib/db/generated/client";
import { KEY_SCOPES, type KeyScope } from "@/lib/domain/key-scopes";
import type { Role } from "@/lib/domain/roles";
import { tokenOf } from "@/lib/testing/calls";
import { type Call, type CheckedAnswer, exchange, OPERATIONS } from "@/lib/testing/contract/exchange";
import { makeWorld, type World, type WorldActor } from "@/lib/testing/contract/world";
import { type MerchantFixture, makeBranch, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { panelOf } from "@/lib/testing/panels";
import type { Stage } from "./stage";

/** The program under attack, and the shops in it: `world` is the victim's, `rival` the attacker's. */
export type Target = { stage: Stage; db: Db; world: World; rival: World };

/** Makes both shops. Import this after the stage has set this process's settings. */
export async function openTarget(stage: Stage): Promise<Target> {
  const db = createDb(stage.ownerUrl, 10);
  return { stage, db, world: await makeWorld(db), rival: await makeWorld(db) };
}

/** Makes a call of the API, such as "post /top-up-points", and compares the answer with the document. */
export async function ask({ stage }: Target, name: string, call: Call): Promise<CheckedAnswer> {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (!operation) throw new Error(`the document has no ${name}`);
  return exchange(operation, call, stage.url ?? undefined);
}

/** The person's side, seen from the victim's shop: its own people, another shop's, or the platform's. */
type Side = "own" | "foreign" | "platform";
/** A caller: the means that this person brings, and the person's role and state. */
export type Person = {
  name: string;
  /** null: no session. */
  role: Role | null;
  /** The scopes of an API key, whose secret is the token. */
  keyScopes?: readonly KeyScope[];
  side: Side;
  state?: "pending" | "suspended";
  token?: string;
  cookie?: string;
  /** Their cookie, as if it named this role. */
  cookieAs?: (role: Role) => Promise<string>;
  /** The token by which the examples call as this person. */
  worldToken?: string;
};

/** Everybody who may call: a stranger, a card's holder, and every role on every side. */
export async function peopleOf(target: Target): Promise<Person[]> {
  const { db, world, rival } = target;
  const suspended = await makeMerchant(db, { suspendedAt: new Date(), suspensionReason: "The licence" });
  const { id: card } = await rival.customer();
  const holder = `wallet_card_${card}=${await addCardDevice(db, card, new Date())}`;
  const rivalWorker = await makeWorker(db, rival.shop);
  const otherBranch = await makeWorker(db, { ...world.shop, branch: await makeBranch(db, world.shop) });
  const signedIn = async (name: string, user: User, side: Side, state?: Person["state"]): Promise<Person> => {
    const [owned] = Object.entries(world.users).find(([, one]) => one.id === user.id) ?? [];
    const { cookie, cookieAs } = target.stage.url ? await panelOf(db, user) : {};
    const worldToken = owned && world.tokens[owned as WorldActor];
    const token = await tokenOf(db, user);
    return { name, role: user.role, side, worldToken, token, cookie, cookieAs, state };
  };
  const keyOf = async (
    name: string,
    { merchant, owner }: MerchantFixture,
    side: Side,
    keyScopes: readonly KeyScope[],
    state?: Person["state"],
  ): Promise<Person> => {
    const { secret: token, ...kept } = newKeySecret();
    const data = { merchantId: merchant.id, name, scopes: [...keyScopes], createdById: owner.id };
    await db.apiKey.create({ data: { ...data, secrets: { create: kept } } });
    return { name, role: null, side, keyScopes, token, state };
  };
  return [
    await keyOf("API key", world.shop, "own", KEY_SCOPES),
    await keyOf("API key without the scope", world.shop, "own", ["webhooks"]),
    await keyOf("API key of another merchant", rival.shop, "foreign", KEY_SCOPES),
    await keyOf("API key of a suspended merchant", suspended, "foreign", KEY_SCOPES, "suspended"),
    { name: "stranger", role: null, side: "foreign" },
    { name: "holder of another card", role: null, side: "foreign", cookie: holder },
    await signedIn("worker", world.users.worker, "own"),
    await signedIn("worker of another branch", otherBranch, "own"),
    await signedIn("owner", world.users.owner, "own"),
    await signedIn("worker of another merchant", rivalWorker, "foreign"),
    await signedIn("owner of another merchant", rival.users.owner, "foreign"),
    await signedIn("owner of a pending merchant", world.users.pending, "foreign", "pending"),
    await signedIn("owner of a suspended merchant", suspended.owner, "foreign", "suspended"),
    await signedIn("admin", world.users.admin, "platform"),
    await signedIn("super_admin", world.users.super, "platform"),
  ];
}
