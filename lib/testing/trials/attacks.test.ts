import { describe, test } from "vitest";
import { openStage } from "./attacks/stage";
import { actionsOfBuild } from "./built-actions";

/** HANDLERS=1 attacks this process's route handlers, not a built server: to try a row without its protection. */
const SERVER = process.env.HANDLERS !== "1";

// Attacks the built program. LONG=1 tries more of the same.
const stage = await openStage(SERVER);
// Not before the stage has set this process's settings, which these modules read.
const { OPERATIONS } = await import("@/lib/testing/contract/exchange");
const { openTarget, peopleOf } = await import("./attacks/people");
const { Matrix } = await import("./attacks/matrix");
const { ALLOWED, allowedAction, attackAction } = await import("./attacks/actions");
const target = await openTarget(stage);
const matrix = new Matrix(target);

describe("calls × roles × ids", () => {
  const [open, staff] = [true, false].map((isOpen) =>
    OPERATIONS.filter(({ spec }) => (spec.permission === "public") === isOpen),
  );
  test.each(staff ?? [])("$name, by staff", (operation) => matrix.staff(operation));
  test.each(open ?? [])("$name, without a session", (operation) => matrix.open(operation));
});

describe.runIf(SERVER)("server actions × roles × foreign arguments", async () => {
  const people = SERVER ? await peopleOf(target) : [];
  test.each(SERVER ? actionsOfBuild() : [])("$name", (action) => attackAction(target, people, action));
  test.each(ALLOWED)("%s may run %s", (who, name) => allowedAction(target, people, who, name));
});
