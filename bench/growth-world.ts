import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { contextOf, makeAdmin } from "@/lib/testing/factories";
import { connected, startPostgres } from "@/scripts/postgres/server";

/** Somebody to read as, with what is theirs. */
export type Reader = { ctx: Context; merchantId: string; branchId: string; workerId: string };
type Card = {
  id: string;
  publicId: string;
  email: string;
  phone: string;
  fullName: string;
  merchantId: string;
};
type Place = { id: string; merchantId: string; actorId: string | null; saleRef: string | null };

/** A seeded database with samples of what the operations are asked for. */
export type Seeded = {
  admin: Context;
  owners: Reader[];
  workers: Reader[];
  cards: Card[];
  /** Movements from all over the year, to page from. */
  places: Place[];
};

const SAMPLE = 400;

/** A cluster whose statements are timed by Postgres itself. */
export const startTimed = (dataDir: string) =>
  startPostgres({
    dataDir,
    settings: {
      shared_preload_libraries: "pg_stat_statements",
      "pg_stat_statements.track_planning": "on",
      "pg_stat_statements.max": "20000",
      // As a server of ten million movements has it.
      shared_buffers: "1GB",
    },
  });

/** Reads the samples as the owner; what is timed is read by `db`, the application's client. */
export async function makeGrowthWorld(owner: Db, ownerUrl: string, db: Db): Promise<Seeded> {
  await connected(ownerUrl, (client) => client.query("create extension if not exists pg_stat_statements"));
  const users = await owner.user.findMany({ where: { merchant: { email: { startsWith: "large" } } } });
  const branches = await owner.branch.findMany({ where: { merchant: { email: { startsWith: "large" } } } });
  const readers = (role: string): Reader[] =>
    users
      .filter((user) => user.role === role)
      .map((user) => {
        const merchantId = user.merchantId ?? "";
        const worker = users.find((one) => one.merchantId === merchantId && one.role === "branch_worker");
        const branch = branches.find((one) => one.merchantId === merchantId);
        return {
          ctx: contextOf(db, user),
          merchantId,
          branchId: branch?.id ?? "",
          workerId: worker?.id ?? "",
        };
      });
  const cards = await owner.$queryRaw<Card[]>`
    select id::text as id, public_id::text as "publicId", email, phone, full_name as "fullName",
      merchant_id::text as "merchantId"
    from customers where status <> 'erased' order by md5(public_id::text) limit ${SAMPLE}`;
  const places = await owner.$queryRaw<Place[]>`
    select m.id::text as id, m.merchant_id::text as "merchantId", m.actor_id::text as "actorId", m.sale_ref as "saleRef"
    from customers c join movements m on m.customer_id = c.id
    where c.id = any (${cards.map(({ id }) => id)}::uuid[]) order by md5(m.id::text) limit ${SAMPLE * 4}`;
  return {
    admin: contextOf(db, await makeAdmin(owner)),
    owners: readers("merchant_owner"),
    workers: readers("branch_worker"),
    cards,
    places,
  };
}
