import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { s3Server } from "@/lib/testing/s3-server";
import { smtpServer } from "@/lib/testing/smtp-server";
import { ensureBuild } from "@/scripts/lib/build";
import { folderUntilEnd, untilEnd } from "@/scripts/lib/command";
import { auditBooks } from "./faults/books";
import {
  CALM,
  diskFault,
  type Fault,
  isKill,
  MOOD_FAULTS,
  OUTAGES,
  type Stage,
  smallDisk,
} from "./faults/faults";
import { holdsFault } from "./faults/holds";
import { Load, openShop } from "./faults/load";
import { Outside, Program } from "./faults/program";
import { usedKeysFault } from "./faults/used-keys";

const isLong = process.env.LONG === "1";
const given = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
/** The kinds of kill -9, which share the postings and the kills of the long form: a million, and a hundred. */
const KINDS = OUTAGES.filter(isKill).length;
/** Clients; postings and kills of each kind. */
const [CLIENTS, POSTINGS, KILLS] = isLong
  ? [64, Math.ceil(given("POSTINGS", 1_000_000) / KINDS), Math.ceil(given("KILLS", 100) / KINDS)]
  : [8, given("POSTINGS", 120), given("KILLS", 1)];
/** Milliseconds between an answer and a client's next posting: in the short form, what starts again has the processor. */
const PACE = isLong ? 0 : 40;
/** The numbers for faults that do not kill again and again: fewer are enough. */
const FEW = { postings: Math.min(POSTINGS, 10_000), kills: Math.min(KILLS, 10) };

/** Starts a program in a separate folder, with mail and store that may misbehave, without Apple and Google. */
async function openStage(dataDir: string, servers: number): Promise<Stage> {
  const [mail, store] = [await untilEnd(smtpServer({ forget: true })), await untilEnd(s3Server())];
  const outside = {
    mail: await untilEnd(Outside.open(mail.port)),
    storage: await untilEnd(Outside.open(Number(new URL(store.endpoint).port))),
    Apple: await untilEnd(Outside.open()),
    Google: await untilEnd(Outside.open()),
  };
  const at = (service: Outside) => `127.0.0.1:${service.port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const settings = {
    SMTP_URL: `smtp://${at(outside.mail)}`,
    ...store.settings,
    S3_ENDPOINT: `http://${at(outside.storage)}`,
    APPLE_APNS_URL: `http://${at(outside.Apple)}`,
    GOOGLE_WALLET_ISSUER_ID: "3388000000000000001",
    GOOGLE_WALLET_KEY: JSON.stringify({ client_email: "wallet@project.iam.test", private_key: key }),
    GOOGLE_WALLET_URL: `http://${at(outside.Google)}`,
    GOOGLE_TOKEN_URL: `http://${at(outside.Google)}/token`,
  };
  return { program: await untilEnd(Program.start(dataDir, servers, settings)), outside };
}

/** Plays a fault under load. Afterwards every acknowledged posting is there once, and the ledger verifies. */
async function play(fault: Fault, { program, outside }: Stage): Promise<void> {
  const { name, patience, headers } = fault;
  const { postings, kills } = isKill(fault) ? { postings: POSTINGS, kills: KILLS } : FEW;
  const shop = await openShop(program.ownerUrl, CLIENTS, postings);
  const load = new Load(() => program.urls, shop, { headers, pace: PACE });
  const began = performance.now();
  const remark = await fault.run({ program, load, outside, postings, kills });
  const rate = Math.round(load.acknowledged / ((performance.now() - began) / 1_000));
  program.explain([...load.senseless.keys()].join("\n"));
  const remarks = [`${rate} a second`, remark].filter(Boolean).join("; ");
  await auditBooks(program.ownerUrl, load, { name, patience, remark: remarks });
  expect(load.acknowledged).toBeGreaterThanOrEqual(postings);
}

// LONG=1: a million postings and a hundred kills (POSTINGS and KILLS scale it), meant for an hour of a quiet machine.
await ensureBuild();
const folder = folderUntilEnd("faults");
const usual = await openStage(join(folder, "data"), 2);
/** The short form plays side by side what does not measure times. */
const SIDE_BY_SIDE = { concurrent: !isLong };
const IN_TURN = { concurrent: false };

describe("alone, since times are measured", () => {
  for (const fault of [usedKeysFault, holdsFault]) test(fault.name, () => play(fault, usual));
});

describe("the program, or a part of it, stops", () => {
  describe("in turn", SIDE_BY_SIDE, () => {
    for (const fault of OUTAGES) test(fault.name, IN_TURN, () => play(fault, usual));
  });
  // The disk is another program's.
  const disk = join(folder, "disk");
  const full = diskFault(disk);
  test(full.name, SIDE_BY_SIDE, async ({ skip }) => {
    const mounted = await smallDisk(disk, "400m");
    if (!mounted) return skip("only root may make a small file system");
    await untilEnd(mounted);
    const stage = await openStage(disk, 1);
    await play(full, stage);
    await stage.program.stop();
  });
});

describe("the program serves as usual", () => {
  describe("in turn", SIDE_BY_SIDE, () => {
    for (const fault of MOOD_FAULTS) test(fault.name, IN_TURN, () => play(fault, usual));
  });
  for (const fault of CALM) test(fault.name, SIDE_BY_SIDE, () => play(fault, usual));
});
