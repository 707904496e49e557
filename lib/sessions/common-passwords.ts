import list from "./data/common-passwords.json";

/** Common passwords long enough to pass the length rule, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(list);
