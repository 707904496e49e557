import { beforeAll, expect, test } from "vitest";
import { sealMovements } from "@/lib/jobs/daily-sums";
import { testDb } from "@/lib/testing/database";
import { type MerchantFixture, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { postRow } from "@/lib/testing/post-rows";
import { verifyMerchant } from "./verify";

const db = await testDb();
const rules = { dirhamsPerPoint: 100, minTopUp: 1, maxTopUp: 5000, maxBalance: 20_000, undoMinutes: 15 };
let shop: MerchantFixture;

async function postAndSeal(customer: string): Promise<void> {
  await postRow(db, shop, { type: "TOP_UP", customer, points: 20 });
  await waitForOpenTransactions(db);
  await sealMovements(db);
}

beforeAll(async () => {
  // The owner of the tables can take this away as well.
  await db.$executeRaw`alter table points_configs drop constraint points_configs_bounds`;
  shop = await makeMerchant(db);
  const { id: merchantId } = shop.merchant;
  const customer = (await makeCustomer(db, shop)).id;
  await postAndSeal(customer);
  await db.pointsConfig.create({ data: { ...rules, merchantId, version: 1 } });
  await db.pointsConfig.create({ data: { ...rules, merchantId, version: 2 } });
  await postAndSeal(customer);
  const seals = await db.seal.findMany({ where: { merchantId }, orderBy: { n: "asc" } });
  expect(seals.map(({ configVersion, platformVersion }) => [configVersion, platformVersion])).toEqual([
    [0, 1],
    [2, 1],
  ]);
});

const verify = () => verifyMerchant(db, shop.merchant.id);

/** Writes as the owner can who stops the triggers. */
async function tamper(sql: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`set local session_replication_role = replica`;
    expect(await tx.$executeRawUnsafe(sql)).toBeGreaterThan(0);
  });
}

const CHANGES = [
  ["dirhams_per_point", "dirhams_per_point + 1"],
  ["max_balance", "max_balance - 1"],
  ["withdrawn", "not withdrawn"],
  ["created_at", "created_at - interval '1 microsecond'"],
  ["version", "version + 10"],
] as const;

test.each(CHANGES)(
  "one changed %s of the points configuration: that version is named",
  async (column, changed) => {
    for (const own of [true, false]) {
      const versions = await db.pointsConfig.findMany({
        where: { merchantId: own ? shop.merchant.id : null },
        orderBy: { version: "asc" },
      });
      const [config] = versions;
      await db.$executeRawUnsafe("drop table if exists kept_config");
      await db.$executeRawUnsafe(
        `create table kept_config as select * from points_configs where id = '${config?.id}'`,
      );
      await tamper(`update points_configs set ${column} = ${changed} where id = '${config?.id}'`);
      expect((await verify()).firstWrong).toMatchObject({ what: "config", configId: config?.id });
      await tamper(
        `update points_configs p set ${column} = k.${column} from kept_config k where p.id = k.id`,
      );
      expect((await verify()).firstWrong).toBeNull();
    }
  },
);

test("a version of the configuration that was taken away or put in is named, and a rewritten chain contradicts the seals", async () => {
  const merchantId = shop.merchant.id;
  const first = await db.pointsConfig.findFirstOrThrow({ where: { merchantId, version: 1 } });
  await db.$executeRawUnsafe("drop table if exists kept_config");
  await db.$executeRawUnsafe(
    `create table kept_config as select * from points_configs where id = '${first.id}'`,
  );
  await tamper(`delete from points_configs where id = '${first.id}'`);
  expect((await verify()).firstWrong).toEqual({ what: "config", configId: first.id, version: 1 });
  await tamper("insert into points_configs select * from kept_config");
  expect((await verify()).firstWrong).toBeNull();
  const stranger = "00000000-0000-4000-8000-000000000002";
  await tamper(`update kept_config set id = '${stranger}', version = 9`);
  await tamper("insert into points_configs select * from kept_config");
  expect((await verify()).firstWrong).toEqual({ what: "config", configId: stranger, version: 9 });
  await tamper(`delete from points_configs where id = '${stranger}'`);
  expect((await verify()).firstWrong).toBeNull();
  // Whoever owns the tables can write the configuration's own chain anew, but not the heads that were mailed.
  const last = await db.configSeal.findFirstOrThrow({ where: { merchantId }, orderBy: { version: "desc" } });
  const rewritten = `update config_seals s set head = sha256(
    coalesce((select p.head from config_seals p where p.merchant_id = s.merchant_id and p.version = s.version - 1), first_head())
    || v.digest) from sealed_configs v where v.id = s.config_id and s.config_id = '${last.configId}'`;
  await tamper(
    `update points_configs set dirhams_per_point = dirhams_per_point + 1 where id = '${last.configId}'`,
  );
  await tamper(rewritten);
  expect((await verify()).firstWrong).toEqual({ what: "chain" });
  await tamper(
    `update points_configs set dirhams_per_point = dirhams_per_point - 1 where id = '${last.configId}'`,
  );
  await tamper(rewritten);
  expect((await verify()).firstWrong).toBeNull();
});

test("versions are chained in their order only", async () => {
  const config = { ...rules, merchantId: shop.merchant.id };
  await db.pointsConfig.create({ data: { ...config, version: 7 } });
  await expect(db.pointsConfig.create({ data: { ...config, version: 6 } })).rejects.toThrow(
    /comes after version/,
  );
  expect((await verify()).firstWrong).toBeNull();
});

test("a seal of before the configuration was chained covers movements only, and is still right", async () => {
  const other = await makeMerchant(db);
  const { id: customer } = await makeCustomer(db, other);
  await postRow(db, other, { type: "TOP_UP", customer, points: 20 });
  await waitForOpenTransactions(db);
  await sealMovements(db);
  await tamper(`update seals s set config_version = null, platform_version = null,
    head = seal_head(first_head(), s.merchant_id, 1, 0, s.to_tx, 1, (
      select sha256(digest) from sealed_movements v where v.merchant_id = s.merchant_id))
    where s.merchant_id = '${other.merchant.id}'`);
  expect(await verifyMerchant(db, other.merchant.id)).toMatchObject({ movements: 1, firstWrong: null });
  // It waits for the transactions of all tests that run beside it.
});
