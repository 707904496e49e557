import {
  addPasskeyAction,
  confirmTotpAction,
  removeFactorAction,
  renameFactorAction,
  renewRecoveryCodesAction,
  requestStepUpAction,
  startPasskeyAction,
  startTotpAction,
  stepUpAction,
  stepUpDueAction,
} from "./actions";

/** The server actions of the dialog that asks the user to confirm who they are. */
export const STEP_UP_ACTIONS = {
  request: requestStepUpAction,
  due: stepUpDueAction,
  confirm: stepUpAction,
};

/** The server actions on the user's second factors. */
export const FACTOR_ACTIONS = {
  startTotp: startTotpAction,
  confirmTotp: confirmTotpAction,
  startPasskey: startPasskeyAction,
  addPasskey: addPasskeyAction,
  rename: renameFactorAction,
  remove: removeFactorAction,
  renewCodes: renewRecoveryCodesAction,
};
