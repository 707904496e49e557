import { openStore } from "./store";

/** How many top-ups this browser keeps that the server does not have yet. */
export async function countWaiting(): Promise<number> {
  return (await openStore()).count("waiting");
}
