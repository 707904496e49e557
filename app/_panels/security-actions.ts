"use server";

import { addPasskey, confirmTotp, startPasskey, startTotp } from "@/lib/accounts/factors/enrol";
import { removeFactor, renameFactor, renewRecoveryCodes } from "@/lib/accounts/factors/manage";
import { askToStepUp, stepUp, stepUpDue } from "@/lib/accounts/step-up";
import { action } from "@/lib/api/action";
import { markActorsDevice } from "@/lib/api/web-context";

export const requestStepUpAction = action(askToStepUp);
export const stepUpDueAction = action(stepUpDue);
export const stepUpAction = action(stepUp);

export const startTotpAction = action(startTotp);
export const confirmTotpAction = action(confirmTotp, markActorsDevice);
export const startPasskeyAction = action(startPasskey);
export const addPasskeyAction = action(addPasskey, markActorsDevice);
export const renameFactorAction = action(renameFactor);
export const removeFactorAction = action(removeFactor, markActorsDevice);
export const renewRecoveryCodesAction = action(renewRecoveryCodes);
