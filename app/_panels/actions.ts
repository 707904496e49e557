"use server";

import { changeOwnEmail, sendOwnEmailCodes } from "@/lib/accounts/change-own-email";
import {
  addPasskey,
  confirmTotp,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  startPasskey,
  startTotp,
} from "@/lib/accounts/factors/manage";
import { endOtherSessions, endOwnSession } from "@/lib/accounts/own-sessions";
import { removeWorkerPin, setPin } from "@/lib/accounts/pin";
import { updateProfile } from "@/lib/accounts/profile";
import { sendMailboxLink } from "@/lib/accounts/prove-mailbox";
import { changePassword } from "@/lib/accounts/set-password";
import { askToStepUp, stepUp, stepUpDue } from "@/lib/accounts/sign-in";
import { action } from "@/lib/api/action";
import { markActorsDevice, markDevice, setCookie } from "@/lib/api/web-context";
import {
  createBranch,
  createOutlet,
  removeBranch,
  removeOutlet,
  updateBranch,
  updateOutlet,
} from "@/lib/branches/branches";
import {
  blockCustomers,
  changeCustomerEmail,
  editCustomer,
  sendUnfreezeCode,
  stopCustomerEmail,
  unfreezeCustomer,
} from "@/lib/customers/edit-customer";
import { startCheck } from "@/lib/ledger/run-check";
import { changeSettings } from "@/lib/merchants/settings";
import { countNotices, markNotices } from "@/lib/notices/notices";
import { approvePending, cancelPending } from "@/lib/points-config/apply-pending";
import { configImpact, editConfig, withdrawOverride } from "@/lib/points-config/edit-config";
import { createWorker, inviteWorker, updateWorker } from "@/lib/workers/workers";

export const editConfigAction = action(editConfig);
export const withdrawOverrideAction = action(withdrawOverride);
export const approvePendingAction = action(approvePending);
export const cancelPendingAction = action(cancelPending);
export const configImpactAction = action(configImpact);

export const changeSettingsAction = action(changeSettings);

export const startCheckAction = action(startCheck);

export const editCustomerAction = action(editCustomer);
export const blockCustomersAction = action(blockCustomers);
export const changeCustomerEmailAction = action(changeCustomerEmail);
export const stopCustomerEmailAction = action(stopCustomerEmail);
export const sendUnfreezeCodeAction = action(sendUnfreezeCode);
export const unfreezeCustomerAction = action(unfreezeCustomer);

export const sendMailboxLinkAction = action(sendMailboxLink);
export const updateProfileAction = action(updateProfile);
export const changePasswordAction = action(changePassword, async ({ ended, cookie, userId }, ctx) => {
  if (cookie) await setCookie(cookie);
  await markDevice(ctx, { userId });
  return { ended };
});
export const sendOwnEmailCodesAction = action(sendOwnEmailCodes);
export const changeOwnEmailAction = action(changeOwnEmail, async ({ ended, cookie }) => {
  if (cookie) await setCookie(cookie);
  return { ended };
});
export const setPinAction = action(setPin);
export const endSessionAction = action(endOwnSession);
export const endOtherSessionsAction = action(endOtherSessions);

export const createBranchAction = action(createBranch);
export const updateBranchAction = action(updateBranch);
export const removeBranchAction = action(removeBranch);
export const createOutletAction = action(createOutlet);
export const updateOutletAction = action(updateOutlet);
export const removeOutletAction = action(removeOutlet);

export const createWorkerAction = action(createWorker);
export const updateWorkerAction = action(updateWorker);
export const inviteWorkerAction = action(inviteWorker);
export const removeWorkerPinAction = action(removeWorkerPin);

export const countNoticesAction = action(countNotices);
export const markNoticesAction = action(markNotices);

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
