import { actionAttacks } from "./actions";
import { matrixAttacks } from "./matrix";
import { raceAttacks } from "./races";
import { requestAttacks } from "./requests";
import { scriptingAttacks } from "./scripting";
import type { Attack } from "./tally";
import { tamperingAttacks } from "./tampering";
import type { Target } from "./target";
import { uploadAttacks } from "./uploads";

const FAMILIES = [
  matrixAttacks,
  actionAttacks,
  tamperingAttacks,
  raceAttacks,
  scriptingAttacks,
  uploadAttacks,
  requestAttacks,
];

/** Every attack, in the order of the table. */
export const attacksOf = (target: Target): Attack[] => FAMILIES.flatMap((family) => family(target));
