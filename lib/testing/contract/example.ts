import type { Call } from "./exchange";
import type { Who, World } from "./world";

/** A call that succeeds, and what a client of the specification reads from its answer's `data`. */
export type Example = Omit<Call, "token"> & {
  /** Whose token goes with it; none for a public call. */
  as?: Who;
  token?: string;
  status?: number;
  data?: unknown;
};

/** By operation: makes what the call needs, and the call. */
export type Examples = Record<string, (world: World) => Example | Promise<Example>>;
