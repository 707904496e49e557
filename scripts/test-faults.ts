import { rmSync } from "node:fs";
import { join } from "node:path";
import { smtpServer } from "@/lib/testing/smtp-server";
import { audit, type Books } from "./faults/books";
import { clockFault, diskFault, FAULTS, type Fault, smallDisk } from "./faults/faults";
import { Load, openShop } from "./faults/load";
import { Outside } from "./faults/outside";
import { Program } from "./faults/program";
import { ensureBuild } from "./lib/build";
import { atEnd, runCommand } from "./lib/ending";
import { temporaryDataDir } from "./postgres/server";

const isLong = process.env.LONG === "1";
/** Of each fault: clients, postings and kills. The long form makes a million postings and a hundred kills of each kind. */
const [CLIENTS, POSTINGS, KILLS] = isLong
  ? [64, Number(process.env.POSTINGS ?? 1_000_000), Number(process.env.KILLS ?? 100)]
  : [12, 300, 2];
/** What is not killed again and again needs fewer postings. */
const SHORT_POSTINGS = Math.min(POSTINGS, 20_000);
const DISK_MB = 400;

type Row = Books & { name: string; silence: number; remark: string; held: boolean };

async function withFault(
  fault: Fault,
  program: Program,
  outside: Outside[],
  headers: Record<string, string> = {},
): Promise<Row> {
  const shop = await openShop(program.ownerUrl, CLIENTS);
  const load = new Load(() => program.urls, shop, headers);
  await load.signIn();
  const postings = fault.name.startsWith("kill -9") ? POSTINGS : SHORT_POSTINGS;
  const remark = (await fault.run({ program, load, outside, postings, kills: KILLS })) ?? "";
  const books = await audit(program.ownerUrl, load);
  const silence = load.longestSilence;
  const held =
    books.lost === 0 &&
    books.doubled === 0 &&
    books.wrong.length === 0 &&
    books.acknowledged >= postings &&
    silence <= fault.patience;
  const { name } = fault;
  const row = { ...books, name, silence, held, remark: [remark, ...books.wrong].filter(Boolean).join("; ") };
  print(row);
  return row;
}

function print(row: Row): void {
  const cells = [row.acknowledged, row.found, row.lost, row.doubled].map((n) => String(n).padStart(9));
  const silence = `${(row.silence / 1_000).toFixed(1)} s`.padStart(8);
  console.log(
    `${row.held ? "held  " : "FAILED"} ${row.name.padEnd(56)}${cells.join("")}${silence}  ${row.remark}`,
  );
}

/** A program in a folder of its own, with a mail server that may misbehave and nothing behind the other services. */
async function stage(dataDir: string, servers: number): Promise<{ program: Program; outside: Outside[] }> {
  const mail = await smtpServer();
  atEnd(mail.close);
  const outside = [await Outside.open(mail.port), await Outside.open(), await Outside.open()];
  const [smtp, apple, google] = outside.map(({ port }) => port);
  const program = await Program.start(dataDir, servers, {
    SMTP_URL: `smtp://127.0.0.1:${smtp}`,
    APPLE_APNS_URL: `http://127.0.0.1:${apple}`,
    GOOGLE_WALLET_URL: `http://127.0.0.1:${google}`,
    GOOGLE_TOKEN_URL: `http://127.0.0.1:${google}/token`,
  });
  atEnd(() => program.stop());
  for (const one of outside) atEnd(() => one.close());
  return { program, outside };
}

// npm run test:faults [-- name part]: each fault under load; afterwards every acknowledged posting is there once, and the
// ledger verifies. LONG=1: a million postings and a hundred kills of each kind (POSTINGS and KILLS scale it).
await runCommand(async () => {
  await ensureBuild();
  const [wanted = ""] = process.argv.slice(2);
  const named = (fault: Fault) => fault.name.includes(wanted);
  const folder = temporaryDataDir("faults");
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  console.log(
    `       ${"fault".padEnd(56)}${["acked", "found", "lost", "doubled"].map((name) => name.padStart(9)).join("")} silence`,
  );
  const rows: Row[] = [];
  const { program, outside } = await stage(join(folder, "data"), 2);
  for (const fault of FAULTS.filter(named)) rows.push(await withFault(fault, program, outside));
  for (const days of [-1, 1]) {
    if (!named(clockFault)) continue;
    const date = new Date(Date.now() + days * 86_400_000).toUTCString();
    rows.push(await withFault(clockFault, program, outside, { date, "x-client-date": date }));
  }
  const disk = join(folder, "disk");
  const fault = diskFault(disk);
  const unmount = named(fault) ? smallDisk(disk, DISK_MB) : undefined;
  if (unmount) {
    atEnd(unmount);
    const full = await stage(disk, 1);
    rows.push(await withFault(fault, full.program, full.outside));
    await full.program.stop();
  } else if (named(fault)) console.log("not run  disk full (only root may make a small file system)");
  const failed = rows.filter(({ held }) => !held).length;
  console.log(`\n${rows.length - failed} passed, ${failed} failed`);
  return failed === 0 && rows.length > 0 ? 0 : 1;
});
