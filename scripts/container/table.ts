let [passed, failed] = [0, 0];

/** One row of the table; `work` answers a remark. Answers whether it held. */
export async function tableRow(name: string, work: () => Promise<string> | string): Promise<boolean> {
  try {
    const remark = await work();
    passed++;
    console.log(`held     ${name.padEnd(58)} ${remark}`);
    return true;
  } catch (error) {
    failed++;
    console.log(`FAILED   ${name.padEnd(58)} ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

/** A row that this machine cannot try, and why. */
export const notRun = (name: string, why: string) => console.log(`not run  ${name.padEnd(58)} ${why}`);

/** Prints the end of the table. Answers the command's exit code. */
export function endOfTable(): number {
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
