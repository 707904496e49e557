import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { emailSchema, nameSchema, passwordSchema } from "@/lib/accounts/model/account";
import { hashPassword } from "@/lib/accounts/password";
import { audit } from "@/lib/audit/audit";
import { createDb, type Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { atEnd, runCommand, untilEnd } from "./lib/command";
import { databaseOf, loadSettings } from "./lib/settings";

const usage =
  "npm run admin:create -- --email you@example.com --first Name --last Name [--role admin]\n" +
  "The password comes from ADMIN_PASSWORD, or is asked for.";

async function askPassword(): Promise<string> {
  if (process.env.ADMIN_PASSWORD) return process.env.ADMIN_PASSWORD;
  if (!process.stdin.isTTY) throw new Error("Set ADMIN_PASSWORD, or run this in a terminal.");
  process.stdout.write("Password (10 characters or more): ");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asker = createInterface({ input: process.stdin, output: silent, terminal: true });
  const answer = await asker.question("");
  asker.close();
  process.stdout.write("\n");
  return answer;
}

/** Makes the administrator. Answers false where the e-mail is taken: that account stays as it is. */
async function create(db: Db, data: Prisma.UserCreateManyInput) {
  return db.$transaction(async (tx) => {
    const [made] = await tx.user.createManyAndReturn({
      data: [data],
      skipDuplicates: true,
      select: { id: true },
    });
    if (!made) return false;
    const by = { actor: { type: "system", job: "admin:create" } } as const;
    const entry = { merchantId: null, action: "admin.created", entity: "user", entityId: made.id } as const;
    return audit(tx, by, { ...entry, after: { role: data.role } });
  });
}

// npm run admin:create: the first administrator of a new installation.
await runCommand(async () => {
  loadSettings();
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { email: text, first: text, last: text, role: text } });
  const email = emailSchema.safeParse(values.email);
  const first = nameSchema.safeParse(values.first);
  const last = nameSchema.safeParse(values.last);
  const role = values.role ?? "super_admin";
  if (!email.success || !first.success || !last.success || (role !== "admin" && role !== "super_admin")) {
    throw new Error(usage);
  }
  const password = passwordSchema.safeParse(await askPassword());
  if (!password.success) throw new Error("The password must have 10 to 128 characters.");
  const passwordHash = await hashPassword(password.data).catch(() => {
    throw new Error("This password is one of the most common ones; choose another.");
  });
  const database = await untilEnd(databaseOf(process.env));
  const db = createDb(database.url, 1);
  atEnd(() => db.$disconnect());
  const names = { firstName: first.data, lastName: last.data };
  const made = await create(db, { email: email.data, ...names, role, passwordHash });
  if (!made) throw new Error(`There is an account with ${email.data} already; nothing was changed.`);
  console.log(`${email.data} is a ${role} now.`);
  return 0;
});
