import { hash, verify } from "@node-rs/argon2";
import { DomainError } from "@/lib/domain/errors";
import list from "./data/common-passwords.json";

// OWASP's argon2id minimum: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The argon2id hash of a password. Throws weak_password for the field at `path` if the password is common. */
export async function hashPassword(password: string, path = "password"): Promise<string> {
  if (COMMON_PASSWORDS.has(password.toLowerCase())) {
    throw new DomainError("weak_password", {}, [{ path, message: "errors.weak_password" }]);
  }
  return hash(password, COST);
}

let decoy: Promise<string> | undefined;

/** Whether the password is correct. It takes the same time for an account that is missing or has no password yet. */
export async function passwordMatches(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hash("no account has this password", COST);
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash != null;
}

/** Common passwords that satisfy the length rule, in lower case. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(list);
