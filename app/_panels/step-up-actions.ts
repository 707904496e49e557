"use server";

import { addPasskey, confirmTotp, startPasskey, startTotp } from "@/lib/accounts/factors/enrol";
import { removeFactor, renameFactor, renewRecoveryCodes } from "@/lib/accounts/factors/manage";
import { askToStepUp, stepUp, stepUpDue } from "@/lib/accounts/step-up";
import { action } from "@/lib/api/action";
import { markActorsDevice } from "@/lib/api/web-context";

const requestStepUpAction = action(askToStepUp);
const stepUpDueAction = action(stepUpDue);
const stepUpAction = action(stepUp);

const startTotpAction = action(startTotp);
const confirmTotpAction = action(confirmTotp, markActorsDevice);
const startPasskeyAction = action(startPasskey);
const addPasskeyAction = action(addPasskey, markActorsDevice);
const renameFactorAction = action(renameFactor);
const removeFactorAction = action(removeFactor, markActorsDevice);
const renewRecoveryCodesAction = action(renewRecoveryCodes);

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
