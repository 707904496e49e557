import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";

// Linux's clock ticks a second, as /proc counts CPU time.
const TICKS = 100;
/** Above these, what is measured says more of the other work than of the program. */
const MAX_OTHERS = 0.1;
const MAX_LOAD_A_CORE = 0.5;

type Process = { pid: number; parent: number; name: string; own: number; ended: number };

/** Every process of the machine with the CPU seconds of its own, and of its children that have ended. */
function processes(): Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const end = stat.lastIndexOf(")");
      const fields = stat.slice(end + 2).split(" ");
      const seconds = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) / TICKS;
      const program = stat.slice(stat.indexOf("(") + 1, end);
      return [
        { pid: Number(name), parent: Number(fields[1]), name: program, own: seconds(11), ended: seconds(13) },
      ];
    } catch {
      return [];
    }
  });
}

/** The process `root` and all below it. */
function treeOf(root: number, all: Process[]): Process[] {
  const children = Map.groupBy(all, ({ parent }) => parent);
  const found = all.filter(({ pid }) => pid === root);
  for (const one of found) found.push(...(children.get(one.pid) ?? []));
  return found;
}

/** CPU seconds of a process and everything below it, ended children included. Only differences mean something. */
export function cpuOf(root: number): number {
  return treeOf(root, processes()).reduce((sum, { own, ended }) => sum + own + ended, 0);
}

/** Keeps a process and everything below it on one core. What they start later stays there too. */
export function pin(root: number, core: number): void {
  for (const { pid } of treeOf(root, processes()))
    execFileSync("taskset", ["-acp", String(core), String(pid)], { stdio: "ignore" });
}

export type MachineLoad = {
  /** Of the last minute, without what this process and its children cause where it is read before they start. */
  average: number;
  /** The share of all cores that other processes use, 0 to 1, and the ones that use most. */
  others: number;
  who: string[];
};

/** Watches the machine for a second. */
export async function loadOf(): Promise<MachineLoad> {
  const before = new Map(processes().map((one) => [one.pid, one.own]));
  const started = performance.now();
  await new Promise((done) => setTimeout(done, 1_000));
  const seconds = (performance.now() - started) / 1_000;
  const all = processes();
  const ours = new Set(treeOf(process.pid, all).map(({ pid }) => pid));
  const used = all
    .filter(({ pid }) => !ours.has(pid))
    .map(({ pid, name, own }) => ({ pid, name, share: (own - (before.get(pid) ?? own)) / seconds }))
    .sort((a, b) => b.share - a.share);
  const others = used.reduce((sum, { share }) => sum + share, 0) / cpus().length;
  const who = used
    .slice(0, 3)
    .filter(({ share }) => share > 0.02)
    .map(({ pid, name, share }) => `${name} (${pid}) ${Math.round(share * 100)} % of a core`);
  return { average: loadavg()[0] ?? 0, others, who };
}

/** Why the machine is too busy to measure on, or null. */
export function whyBusy({ average, others, who }: MachineLoad): string | null {
  const most = MAX_LOAD_A_CORE * cpus().length;
  if (average <= most && others <= MAX_OTHERS) return null;
  const by = who.length > 0 ? `: ${who.join(", ")}` : "";
  return `load average ${average.toFixed(1)} (bound ${most}), other processes use ${Math.round(others * 100)} % of the cores (bound ${MAX_OTHERS * 100} %)${by}`;
}
