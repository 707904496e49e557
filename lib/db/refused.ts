import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { Prisma } from "./generated/client";

/** Whether the database refused a write: P2002 for what must be unique, P2003 for a row that is named but absent. */
export function wasRefused(error: unknown, code: "P2002" | "P2003"): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;
}

/** Runs a write; what the database refuses as a duplicate is thrown as the given code, on its field when one is named. */
export async function orTaken<T>(code: ErrorCode, path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!wasRefused(cause, "P2002")) throw cause;
    throw new DomainError(code, {}, [{ path, message: `errors.${code}` }], { cause });
  }
}
