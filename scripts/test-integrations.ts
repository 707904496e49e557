import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStage } from "./attacks/stage";
import { runCommand } from "./lib/ending";
import { projectRoot } from "./lib/project";

/** Runs a command of an integration; throws when it fails. */
function run(cwd: string, args: readonly string[], env: Record<string, string> = {}): void {
  const { status } = spawnSync("npm", args, { cwd, stdio: "inherit", env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed in ${cwd}`);
}

// npm run test:integrations: installs each integration, generates it from this program's schema, and runs its tests against
// the built program with a new shop, card and API key.
await runCommand(async () => {
  const { url } = await openStage(true);
  // Not before the stage has set this process's settings, which these modules read.
  const [{ createDb }, factories, { apiDocument }, manage] = await Promise.all([
    import("@/lib/db/client"),
    import("@/lib/testing/factories"),
    import("@/lib/api/table"),
    import("@/lib/api-keys/change-keys"),
  ]);
  const client = join(projectRoot, "integrations/client");
  writeFileSync(join(client, "openapi.json"), JSON.stringify(await apiDocument()));
  if (!existsSync(join(client, "node_modules"))) run(client, ["ci", "--no-audit", "--no-fund"]);
  run(client, ["run", "-s", "generate"]);
  run(client, ["run", "-s", "types"]);

  const db = createDb(process.env.DATABASE_URL ?? "", 2);
  const shop = await factories.makeMerchant(db);
  const customer = await factories.makeCustomer(db, shop);
  const owner = factories.contextOf(db, shop.owner);
  const key = await manage.createApiKey(owner, {
    name: "Integration",
    scopes: ["customers.find", "topup", "redeem", "movements.read"],
  });
  run(client, ["run", "-s", "test"], {
    WALLET_URL: url ?? "",
    WALLET_KEY: key.secret,
    WALLET_CARD: `${url}/topup/${customer.publicId}`,
  });
  await db.$disconnect();
  return 0;
});
