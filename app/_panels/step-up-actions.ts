import { requestStepUpAction, stepUpAction, stepUpDueAction } from "./actions";

/** The server actions of the dialog that asks the user to confirm who they are. */
export const STEP_UP_ACTIONS = {
  request: requestStepUpAction,
  due: stepUpDueAction,
  confirm: stepUpAction,
};
