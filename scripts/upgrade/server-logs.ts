/** Characters that are kept of what each server prints. */
const KEPT = 2_000_000;
/** Characters that are shown of what a server said of one request. */
const SHOWN = 1_500;

/** Keeps the output of a run's servers, so that a bare 500 can be traced to its server and its reason. */
export class ServerLogs {
  private readonly printed = new Map<string, string>();

  /** Collects what the server of this name prints. */
  of(name: string): (part: string) => void {
    return (part) => this.printed.set(name, ((this.printed.get(name) ?? "") + part).slice(-KEPT));
  }

  /** Which server named this request, and the lines from there on; null where none did. */
  about(requestId: string): string | null {
    for (const [name, text] of this.printed) {
      const at = text.indexOf(requestId);
      if (at >= 0) return `${name}: ${text.slice(text.lastIndexOf("\n", at) + 1).slice(0, SHOWN)}`;
    }
    return null;
  }

  /** A line about each answer that has a request's id, with what its server said of it. */
  explain(line: string): string {
    const [, id] = /"requestId":"([\w-]+)"/.exec(line) ?? [];
    const said = id && this.about(id);
    return said ? `${line}\n    ${said.replaceAll("\n", "\n    ")}` : line;
  }
}
