/** Runs the work while no other process does so under the same lock file; waits for its turn. */
export function withLock<T>(file: string, waiting: () => void, work: () => T | Promise<T>): Promise<T>;
