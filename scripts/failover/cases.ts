import type { Load } from "../faults/load";
import type { Outside } from "../faults/outside";
import type { Cluster } from "./cluster";

/** `front` is the network between the servers and the database. */
type Scene = { cluster: Cluster; front: Outside; load: Load };

export type Case = {
  name: string;
  /** Whether the servers reach the database through PgBouncer in transaction mode. */
  isPooled?: true;
  /** Plays the case while the clients post. Answers the seconds without a standby. */
  run(scene: Scene): Promise<number>;
};

/** Answers before and after what a case does. */
const SOME = 100;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Waits until the clients had so many more answers. */
async function answersOf(load: Load, more: number): Promise<void> {
  const wanted = load.acknowledged + more;
  while (load.acknowledged < wanted) await pause(20);
}

/** Adds a standby while the clients post. Answers the seconds since `began`. */
async function withNewStandby({ cluster, load }: Scene, began: number): Promise<number> {
  await cluster.addStandby();
  const seconds = (performance.now() - began) / 1_000;
  await answersOf(load, SOME);
  return seconds;
}

async function loseThePrimary(scene: Scene): Promise<number> {
  await answersOf(scene.load, SOME);
  const began = performance.now();
  await scene.cluster.killPrimary();
  await scene.cluster.promote();
  await answersOf(scene.load, SOME);
  return await withNewStandby(scene, began);
}

/** What may happen to a primary and its standby, and to the way to them (docs/deploy/high-availability.md). */
export const CASES: readonly Case[] = [
  { name: "kill -9 of the primary and promotion", run: loseThePrimary },
  {
    name: "a planned switch-over",
    async run(scene) {
      await answersOf(scene.load, SOME);
      const began = performance.now();
      // It sends all of its log to the standby before it ends.
      await scene.cluster.primary.stop();
      await scene.cluster.promote();
      await answersOf(scene.load, SOME);
      return await withNewStandby(scene, began);
    },
  },
  {
    name: "a standby that stops: writes wait until it is given up",
    async run(scene) {
      const { cluster, load } = scene;
      await answersOf(load, SOME);
      const began = performance.now();
      await cluster.standby.stop();
      // What the standby had before it stopped is answered still.
      await pause(1_000);
      const before = load.acknowledged;
      await pause(3_000);
      if (load.acknowledged > before) throw new Error("a posting was answered that no standby has");
      await cluster.waitForStandby("");
      await answersOf(load, SOME);
      return await withNewStandby(scene, began);
    },
  },
  {
    name: "a cut network between the servers and the database",
    async run({ front, load }) {
      await answersOf(load, SOME);
      front.cut();
      await pause(5_000);
      front.heal();
      await answersOf(load, SOME);
      return 0;
    },
  },
  {
    name: "the old primary comes back",
    async run(scene) {
      const { cluster, load } = scene;
      await answersOf(load, SOME);
      const began = performance.now();
      await cluster.killPrimary();
      await cluster.promote();
      await cluster.startFormer();
      await answersOf(load, SOME);
      return await withNewStandby(scene, began);
    },
  },
  { name: "kill -9 of the primary behind PgBouncer", isPooled: true, run: loseThePrimary },
];
