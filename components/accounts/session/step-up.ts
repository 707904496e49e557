import type { ActionResult } from "@/lib/domain/errors";

/** The page's step-up dialog: `ask` asks the user to confirm who they are, `due` answers whether that is needed. */
export type StepUpAsker = { ask: () => Promise<boolean>; due: () => Promise<boolean> };

let asker: StepUpAsker | null = null;

/** Registers the page's dialog for its users. Answers a function that unregisters it. */
export function registerStepUp(dialog: StepUpAsker): () => void {
  asker = dialog;
  return () => {
    if (asker === dialog) asker = null;
  };
}

/** Asks the user to confirm who they are. Answers whether they did; false on a page without the dialog. */
export async function confirmIdentity(): Promise<boolean> {
  return asker ? asker.ask() : false;
}

/** Asks only when the next operation would be refused otherwise. Answers whether it may go on. */
export async function confirmIdentityIfDue(): Promise<boolean> {
  if (!asker || !(await asker.due())) return true;
  return asker.ask();
}

/** Runs an action; when the server asks the user to confirm who they are, it asks and runs the same action again. */
export async function withStepUp<R>(run: () => Promise<ActionResult<R>>): Promise<ActionResult<R>> {
  const result = await run();
  if (result.ok || result.code !== "step_up_required") return result;
  return (await confirmIdentity()) ? run() : result;
}
