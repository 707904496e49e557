import { DomainError } from "@/lib/domain/errors";

/** How the API calls the fields that operations name in their refusals. */
const NAMES: Record<string, string> = {
  branchId: "iBranchId",
  email: "sEmail",
  merchantId: "iMerchantId",
  name: "sBranchName",
  newPassword: "sNewPassword",
  oldPassword: "sOldPassword",
  password: "sPassword",
  phone: "sPhoneNumber",
  reason: "sReason",
};

/** An operation's refusal with its fields under the names that the caller sent them by. */
export function inWireNames(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.problems.length === 0) return error;
  const { code, params, problems, cause } = error;
  const named = problems.map(({ path, message }) => ({ path: NAMES[path] ?? path, message }));
  return new DomainError(code, params, named, { cause });
}
