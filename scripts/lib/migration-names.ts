const DAY = 86_400_000;
const SECOND = 1_000;

const stampOf = (time: Date) => time.toISOString().replace(/\D/g, "").slice(0, 14);

function timeOf(migration: string): Date {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_/.exec(migration) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** The folder of a new migration: stamped with the present time, or one second after the newest where that is later. */
export function nextMigration(existing: string[], now: Date, name: string): string {
  const newest = existing
    .filter((migration) => /^\d{14}_/.test(migration))
    .sort()
    .at(-1);
  const after = newest ? timeOf(newest).getTime() + SECOND : 0;
  return `${stampOf(new Date(Math.max(now.getTime(), after)))}_${name}`;
}

/**
 * Answers the faults of the migrations, a line each. `order` names the migrations as they landed. A name that
 * sorts before an older one would run after it in existing databases and before it in new ones. A stamp later
 * than tomorrow would push all later migrations into the future.
 */
export function wrongMigrations(folders: string[], order: string[], now: Date): string[] {
  const wrong: string[] = [];
  for (const name of folders.filter((folder) => !order.includes(folder))) {
    wrong.push(`${name} is not in order.txt`);
  }
  for (const name of order.filter((line) => !folders.includes(line))) wrong.push(`${name} has no folder`);
  for (const [index, name] of order.entries()) {
    const before = order[index - 1];
    if (before !== undefined && name <= before) wrong.push(`${name} sorts before the older ${before}`);
    const time = timeOf(name).getTime();
    if (!(time <= now.getTime() + DAY)) wrong.push(`${name} is stamped later than tomorrow`);
  }
  return wrong;
}
