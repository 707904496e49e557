/** The table of a command that tries things: a line each with its figures and a remark, and how many of them held. */
export class Table {
  private passed = 0;
  private failed = 0;

  constructor(
    private readonly width: number,
    heads: readonly string[] = [],
  ) {
    if (heads.length > 0) this.print("", "", heads, "");
  }

  private print(state: string, name: string, figures: readonly (string | number)[], remark: string): void {
    const cells = figures.map((one) => String(one).padStart(10)).join("");
    console.log(`${state.padEnd(8)} ${name.padEnd(this.width)}${cells}  ${remark}`);
  }

  row(name: string, held: boolean, figures: readonly (string | number)[] = [], remark = ""): boolean {
    if (held) this.passed += 1;
    else this.failed += 1;
    this.print(held ? "held" : "FAILED", name, figures, remark);
    return held;
  }

  /** A row that this machine cannot try, and why. */
  notRun(name: string, why: string): void {
    this.print("not run", name, [], why);
  }

  /** A row for work that answers a remark, or throws where something does not hold. Answers whether it held. */
  async try(name: string, work: () => Promise<string> | string): Promise<boolean> {
    try {
      return this.row(name, true, [], await work());
    } catch (error) {
      return this.row(name, false, [], error instanceof Error ? error.message : String(error));
    }
  }

  /** Prints how many held. Answers the command's exit code: an error too where nothing was tried. */
  end(): number {
    console.log(`\n${this.passed} passed, ${this.failed} failed`);
    return this.failed === 0 && this.passed > 0 ? 0 : 1;
  }
}
