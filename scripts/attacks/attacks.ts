import { actionAttacks } from "./actions";
import { findingAttacks } from "./findings";
import { matrixAttacks } from "./matrix";
import { tamperingAttacks } from "./tampering";
import type { Attack } from "./tally";
import type { Target } from "./target";

/** Every attack, in the order of the table. */
export const attacksOf = (target: Target): Attack[] => [...matrixAttacks(target), ...actionAttacks(target), ...findingAttacks(target), ...tamperingAttacks(target)];
