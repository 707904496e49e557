import { bind, tagged } from "@/lib/calls/bind";
import { cookieLine } from "@/lib/secrets/cookies";
import { changeAdmin, inviteAdmin, listAdmins } from "./admins";
import { changeOwnEmail, sendOwnEmailCodes } from "./change-own-email";
import {
  addPasskey,
  confirmTotp,
  listFactors,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  startPasskey,
  startTotp,
} from "./factors/manage";
import { accountCalls } from "./names";
import { signOut } from "./own-sessions";
import { pinSignIn, setPin } from "./pin";
import { caller, updateProfile } from "./profile";
import { sendMailboxLink } from "./prove-mailbox";
import { changePassword, forgotPassword, resetPassword } from "./set-password";
import { askForPasskey, askToStepUp, confirmLogIn, logIn, stepUp } from "./sign-in";

export const accountApi = tagged("Accounts", [
  bind(accountCalls.changeAdmin, changeAdmin, {
    summary:
      "Changes an administrator's name or role, disables or enables them (`bActive`), or sends the invitation again (`bInvite`). The last active super_admin stays one.",
    tag: "Administrators",
    example: { bActive: false },
  }),
  bind(accountCalls.listAdmins, listAdmins, {
    summary: "The administrators, the oldest first.",
    tag: "Administrators",
  }),
  bind(accountCalls.inviteAdmin, inviteAdmin, {
    summary: "Invites an administrator, who is mailed a link to set a password.",
    tag: "Administrators",
    example: { sFirstName: "Sara", sLastName: "Haddad", sEmail: "sara@wallet.example", eRole: "admin" },
  }),
  bind(accountCalls.changePassword, changePassword, {
    summary:
      "Changes the caller's password, ends all other sessions and gives this one a new token, in the answer or in the panel's cookie. The PIN for the tills goes, unless bKeepPin is true.",
    headers: ({ cookie }) => (cookie ? [["Set-Cookie", cookieLine(cookie)]] : []),
    marks: ({ userId }) => ({ userId }),
    message: "api.passwordChanged",
    example: { sOldPassword: "demo-wallet-2026", sNewPassword: "a long new password" },
  }),
  bind(accountCalls.sendMailboxLink, sendMailboxLink, {
    summary: "Emails the caller once more the link that confirms their address, until it is confirmed.",
    message: "api.linkSent",
  }),
  bind(accountCalls.sendOwnEmailCodes, sendOwnEmailCodes, {
    summary:
      "Mails the codes that change the caller's email: one to the new address, and one to the present address if it was proved.",
    message: "api.otpSent",
    example: { sEmail: "noora@karak.test" },
  }),
  bind(accountCalls.changeOwnEmail, changeOwnEmail, {
    summary:
      "Changes the caller's email by these codes, ends all other sessions and gives this one a new token, in the answer or in the panel's cookie.",
    headers: ({ cookie }) => (cookie ? [["Set-Cookie", cookieLine(cookie)]] : []),
    message: "api.emailChanged",
    example: { sEmail: "noora@karak.test", sCode: "123456", sOldCode: "654321" },
  }),
  bind(accountCalls.forgotPassword, forgotPassword, {
    summary: "Emails a link to set a new password. The answer is the same whether or not the account exists.",
    message: "api.resetSent",
    example: { sEmail: "owner@karak.test" },
  }),
  bind(accountCalls.logIn, logIn, {
    summary: "Signs in with email and password. Send the token as the raw Authorization header.",
    marks: ({ user }) => ({ userId: user.id }),
    message: "api.loggedIn",
    example: { sEmail: "owner@karak.test", sPassword: "demo-wallet-2026" },
  }),
  bind(accountCalls.signOut, signOut, {
    summary: "Ends the caller's session.",
    message: "api.loggedOut",
  }),
  bind(accountCalls.askForPasskey, askForPasskey, {
    summary:
      "Begins a sign-in with a passkey alone: a challenge for `auth/second-factor`, good for five minutes.",
  }),
  bind(accountCalls.pinSignIn, pinSignIn, {
    summary: "Signs a worker in on the proving till by PIN. The session only serves, with the till's proof.",
    tag: "Tills",
    secret: "till",
    message: "api.loggedIn",
    example: { iWorkerId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19", sPin: "580314" },
  }),
  bind(accountCalls.setPin, setPin, {
    summary: "Sets the worker's PIN for the tills: six digits, with the password.",
    tag: "Tills",
    message: "api.pinSet",
    example: { sPassword: "demo-wallet-2026", sPin: "580314" },
  }),
  bind(accountCalls.resetPassword, resetPassword, {
    summary:
      "Sets a new password with the secret of a mailed link, which works once. An employee's PIN for the tills becomes sPin, or goes without it; for anybody else sPin is refused with 403 forbidden.",
    marks: ({ userId }) => ({ userId }),
    message: "api.passwordChanged",
    example: { sToken: "the secret of the mailed link", sPassword: "a long new password" },
  }),
  bind(accountCalls.confirmLogIn, confirmLogIn, {
    summary:
      "The second step of a sign-in: the challenge of `auth/login` with a code or a passkey, or that of `auth/passkey-options` with a passkey.",
    marks: ({ user }) => ({ userId: user.id }),
    message: "api.loggedIn",
    example: { sChallenge: "the challenge of the first step", sCode: "123456" },
  }),
  bind(accountCalls.askToStepUp, askToStepUp, {
    summary: "How the caller can confirm who they are, with the challenge for a passkey.",
  }),
  bind(accountCalls.stepUp, stepUp, {
    summary:
      "Confirms who the caller is, for five minutes: by the second factor where one is set, else by the password. Calls that need it answer 403 `step_up_required` without it.",
    example: { sPassword: "demo-wallet-2026" },
  }),
  bind(accountCalls.updateProfile, updateProfile, {
    summary: "Updates the caller's name, phone or language. Fields that are left out keep their values.",
    message: "api.profileUpdated",
    example: { sFirstName: "Noor", sLastName: "Al Thani", sPhoneNumber: "+974 5512 3456", sLocale: "ar" },
  }),
  bind(accountCalls.profile, caller, {
    summary:
      "The user of the session, with their merchant; or the API key, with the branches it may post at.",
  }),
  bind(accountCalls.renameFactor, renameFactor, {
    summary: "Renames a second factor of the caller.",
    example: { sName: "Work phone" },
  }),
  bind(accountCalls.removeFactor, removeFactor, {
    summary: "Removes a second factor of the caller, and with the last one the recovery codes.",
  }),
  bind(accountCalls.startPasskey, startPasskey, {
    summary: "Begins a passkey: the options for WebAuthn's `navigator.credentials.create`.",
  }),
  bind(accountCalls.addPasskey, addPasskey, {
    summary:
      "Adds the passkey that the browser made. The account's first factor comes with ten recovery codes, shown once.",
    example: {
      sName: "Laptop",
      jAttestation: {
        id: "AQIDBA",
        rawId: "AQIDBA",
        type: "public-key",
        response: { clientDataJSON: "e30", attestationObject: "o2Nm" },
        clientExtensionResults: {},
      },
    },
  }),
  bind(accountCalls.renewRecoveryCodes, renewRecoveryCodes, {
    summary: "Ten new recovery codes, shown once. The old ones stop working.",
  }),
  bind(accountCalls.listFactors, listFactors, {
    summary: "The caller's passkeys and authenticator app, and how many recovery codes are left.",
  }),
  bind(accountCalls.startTotp, startTotp, {
    summary: "Begins an authenticator app: its secret, which counts for nothing until it is confirmed.",
  }),
  bind(accountCalls.confirmTotp, confirmTotp, {
    summary:
      "Confirms the authenticator app by its first code. The account's first factor comes with ten recovery codes, shown once.",
    example: { sCode: "123456", sName: "Work phone" },
  }),
]);
