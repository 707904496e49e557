import { hash, verify } from "@node-rs/argon2";
import { DomainError } from "@/lib/domain/errors";
import list from "./data/common-passwords.json";

// OWASP's argon2id minimum: 19 MiB, two passes, one lane.
export const ARGON_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type PasswordOwner = {
  email: string;
  firstName: string;
  lastName: string;
  businessName?: string;
  businessNameAr?: string | null;
};

/** Letters and digits only, in small letters, so that separators and capitals make no difference. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKC")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Whether a password is made of its owner's e-mail or name, also twice, turned round or with digits at its end. */
function isOwnName(
  password: string,
  { email, firstName, lastName, businessName = "", businessNameAr }: PasswordOwner,
): boolean {
  const [local = "", host = ""] = email.split("@");
  const [first, last] = [plain(firstName), plain(lastName)];
  const names = [email, local, host, businessName, businessNameAr ?? ""]
    .map(plain)
    .concat(first, last, first + last, last + first);
  const word = plain(password);
  const withoutDigits = word.replace(/\p{N}+$/u, "");
  return names.some((name) => {
    if (name === "") return false;
    const stem = name.replace(/\p{N}+$/u, "");
    return word === name || word === name + name || (stem !== "" && withoutDigits === stem);
  });
}

/** The argon2id hash. Throws weak_password at `path` for a common password, or one of the owner's e-mail or name. */
export async function hashPassword(
  password: string,
  { path = "password", owner }: { path?: string; owner?: PasswordOwner } = {},
): Promise<string> {
  if (COMMON_PASSWORDS.has(password.toLowerCase())) {
    throw new DomainError("weak_password", {}, [{ path, message: "errors.weak_password" }]);
  }
  if (owner && isOwnName(password, owner)) {
    throw new DomainError("weak_password", {}, [{ path, message: "validation.passwordOwn" }]);
  }
  return hash(password, ARGON_COST);
}

let decoy: Promise<string> | undefined;

/** Whether the password is correct. It takes the same time for an account that is missing or has no password yet. */
export async function passwordMatches(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hash("no account has this password", ARGON_COST);
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash != null;
}

/** Common passwords that satisfy the length rule, in lower case. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(list);
