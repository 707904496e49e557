/** The merchant and branch at which a movement is posted. */
export type Place = { merchantId: string; branchId: string };

const LAST_BRANCH_KEY = "counter.branch";

/** The id of the branch this device posted at last, or null: most devices stay at one counter all day. */
export function readLastBranch(): string | null {
  try {
    return localStorage.getItem(LAST_BRANCH_KEY);
  } catch {
    return null;
  }
}

export function saveLastBranch(id: string): void {
  try {
    localStorage.setItem(LAST_BRANCH_KEY, id);
  } catch {}
}
