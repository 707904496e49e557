import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStage } from "@/lib/testing/trials/attacks/stage";
import { projectRoot, runCommand } from "./lib/command";
import { freePort } from "./postgres/port";

type Settings = Record<string, string>;

/** Runs a command of an integration; throws when it fails. */
function run(cwd: string, args: readonly string[], env: Settings = {}): void {
  const { status } = spawnSync("npm", args, { cwd, stdio: "inherit", env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed in ${cwd}`);
}

/** Checks the types of an integration and runs its tests, after it is installed and `prepare` has run. */
function testIntegration(name: string, env: Settings, prepare = (_folder: string) => {}): void {
  console.log(`\n== ${name}`);
  const folder = join(projectRoot, "integrations", name);
  if (!existsSync(join(folder, "node_modules"))) run(folder, ["ci", "--no-audit", "--no-fund"]);
  prepare(folder);
  run(folder, ["run", "-s", "types"]);
  run(folder, ["run", "-s", "test"], env);
}

// npm run test:integrations [-- NAME]: installs each integration and runs its tests against the built program, with a new
// shop, card and API key. The client comes first: the others are made of it.
await runCommand(async () => {
  const { url, ownerUrl } = await openStage(true);
  // Not before the stage has set this process's settings, which these modules read.
  const [{ createDb }, factories, { move }, { apiDocument }, manage] = await Promise.all([
    import("@/lib/db/client"),
    import("@/lib/testing/factories"),
    import("@/lib/testing/movements"),
    import("@/lib/api/table"),
    import("@/lib/api-keys/api-keys"),
  ]);
  const db = createDb(process.env.DATABASE_URL ?? "", 2);
  const shop = await factories.makeMerchant(db);
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { redeemAllowance: 200 } });
  const customer = await factories.makeCustomer(db, shop);
  await move(db, shop, customer, { points: 150 });
  const { secret } = await manage.createApiKey(factories.contextOf(db, shop.owner), {
    name: "Integration",
    scopes: ["customers.find", "topup", "redeem", "refund", "movements.read"],
  });
  const { hostname, port, username, password } = new URL(ownerUrl);
  const env: Settings = {
    WALLET_URL: url ?? "",
    WALLET_KEY: secret,
    WALLET_CARD: `${url}/topup/${customer.publicId}`,
    // Shop systems keep their own databases beside the wallet's.
    DB_HOST: hostname,
    DB_PORT: port,
    DB_USERNAME: username,
    DB_PASSWORD: decodeURIComponent(password),
    SHOP_PORT: String(await freePort()),
  };
  const document = JSON.stringify(await apiDocument());
  const only = process.argv[2];
  testIntegration("client", env, (folder) => {
    writeFileSync(join(folder, "openapi.json"), document);
    run(folder, ["run", "-s", "generate"]);
  });
  for (const name of ["medusa", "vendure"]) if (!only || only === name) testIntegration(name, env);
  await db.$disconnect();
  return 0;
});
