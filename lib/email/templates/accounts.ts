import { formatDateTime } from "@/lib/domain/time";
import { button, note, type Template, text } from "@/lib/email/content";

/** `minutes` is the lifetime of the link. Without a name for a mailbox that is not proved: a stranger typed it. */
type PasswordResetParams = { name: string | null; url: string; minutes: number };
/** `days` is the lifetime of the link. */
type WorkerInviteParams = { name: string; merchant: string; url: string; days: number };
type ConfirmMailboxParams = { url: string };
type ProfileDecidedParams = {
  name: string;
  merchant: string;
  decision: "approved" | "rejected";
  /** Of a rejection. */
  reason: string | null;
  url: string;
};
type MerchantReceivedParams = { name: string; merchant: string; url: string };
type MerchantApprovedParams = {
  name: string;
  merchant: string;
  loginUrl: string;
  /** The sign-up link for the merchant's customers. */
  signupUrl: string;
};
type MerchantRejectedParams = { name: string; merchant: string; reason: string };
type MerchantSuspendedParams = { name: string; merchant: string; reason: string };
type MerchantReinstatedParams = { name: string; merchant: string; loginUrl: string };

/** `device` and `address` as the sign-in showed them; `url` sets a new password. */
type NewDeviceParams = {
  name: string;
  device: string | null;
  address: string | null;
  at: Date;
  url: string;
};
/** `email` is the new address, masked. */
type StaffEmailChangedParams = { name: string; email: string; at: Date };
type PasswordChangedParams = { name: string; at: Date; url: string };
/** Which tries are used up, and the address of the last one. */
type TriesUsedUpParams = {
  name: string;
  what: "password" | "factor";
  at: Date;
  address: string | null;
  url: string;
};
/** `factor` is the name of the factor that was added or removed. */
type SecondFactorChangedParams = {
  name: string;
  change: "added" | "removed" | "codes" | "recovered";
  factor: string;
  at: Date;
};
/** `days` is the lifetime of the link. */
type AdminInviteParams = { name: string; url: string; days: number };

const passwordReset: Template<PasswordResetParams> = ({ t }, { name, url, minutes }) => ({
  subject: t("email.password_reset.subject"),
  sender: t("email.common.product"),
  heading: t("email.password_reset.heading"),
  blocks: [
    ...(name === null ? [] : [text(t("email.common.greeting", { name }))]),
    text(t("email.password_reset.body", { minutes })),
    button(t("email.password_reset.action"), url),
    note(t("email.password_reset.note")),
  ],
});

const workerInvite: Template<WorkerInviteParams> = ({ t }, { name, merchant, url, days }) => ({
  subject: t("email.worker_invite.subject", { merchant }),
  sender: merchant,
  heading: t("email.worker_invite.heading", { merchant }),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.worker_invite.body", { merchant, days })),
    button(t("email.worker_invite.action"), url),
    note(t("email.worker_invite.note")),
  ],
});

const newDevice: Template<NewDeviceParams> = ({ t, locale }, { name, device, address, at, url }) => ({
  subject: t("email.new_device.subject"),
  sender: t("email.common.product"),
  heading: t("email.new_device.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.new_device.body")),
    {
      kind: "facts",
      rows: [
        { label: t("email.new_device.time"), value: formatDateTime(at, locale) },
        { label: t("email.new_device.device"), value: device ?? t("account.sessions.unknown") },
        ...(address === null ? [] : [{ label: t("email.new_device.address"), value: address }]),
      ],
    },
    note(t("email.new_device.note")),
    button(t("email.new_device.action"), url),
  ],
});

const passwordChanged: Template<PasswordChangedParams> = ({ t, locale }, { name, at, url }) => ({
  subject: t("email.password_changed.subject"),
  sender: t("email.common.product"),
  heading: t("email.password_changed.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.password_changed.body", { time: formatDateTime(at, locale) })),
    note(t("email.password_changed.note")),
    button(t("email.password_changed.action"), url),
  ],
});

const pinSet: Template<PasswordChangedParams> = ({ t, locale }, { name, at, url }) => ({
  subject: t("email.pin_set.subject"),
  sender: t("email.common.product"),
  heading: t("email.pin_set.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.pin_set.body", { time: formatDateTime(at, locale) })),
    note(t("email.pin_set.note")),
    button(t("email.password_changed.action"), url),
  ],
});

const pinRemoved: Template<PasswordChangedParams> = ({ t, locale }, { name, at, url }) => ({
  subject: t("email.pin_removed.subject"),
  sender: t("email.common.product"),
  heading: t("email.pin_removed.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.pin_removed.body", { time: formatDateTime(at, locale) })),
    note(t("email.pin_removed.note")),
    button(t("email.pin_removed.action"), url),
  ],
});

const triesUsedUp: Template<TriesUsedUpParams> = ({ t, locale }, { name, what, at, address, url }) => ({
  subject: t("email.tries_used_up.subject"),
  sender: t("email.common.product"),
  heading: t("email.tries_used_up.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.tries_used_up.body", { what })),
    {
      kind: "facts",
      rows: [
        { label: t("email.new_device.time"), value: formatDateTime(at, locale) },
        ...(address === null ? [] : [{ label: t("email.new_device.address"), value: address }]),
      ],
    },
    note(t("email.tries_used_up.note")),
    button(t("email.new_device.action"), url),
  ],
});

const secondFactorChanged: Template<SecondFactorChangedParams> = (
  { t, locale },
  { name, change, factor, at },
) => ({
  subject: t("email.second_factor_changed.subject", { change }),
  sender: t("email.common.product"),
  heading: t("email.second_factor_changed.heading", { change }),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t(`email.second_factor_changed.body.${change}`, { factor, time: formatDateTime(at, locale) })),
    note(t("email.second_factor_changed.note")),
  ],
});

const adminInvite: Template<AdminInviteParams> = ({ t }, { name, url, days }) => ({
  subject: t("email.admin_invite.subject"),
  sender: t("email.common.product"),
  heading: t("email.admin_invite.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.admin_invite.body", { days })),
    button(t("email.admin_invite.action"), url),
    note(t("email.admin_invite.note")),
  ],
});

/** With nothing that the stranger typed. */
const confirmMailbox: Template<ConfirmMailboxParams> = ({ t }, { url }) => ({
  subject: t("email.confirm_mailbox.subject"),
  sender: t("email.common.product"),
  heading: t("email.confirm_mailbox.heading"),
  blocks: [
    text(t("email.confirm_mailbox.body")),
    button(t("email.confirm_mailbox.action"), url),
    note(t("email.confirm_mailbox.note")),
  ],
});

const profileDecided: Template<ProfileDecidedParams> = (
  { t },
  { name, merchant, decision, reason, url },
) => ({
  subject: t("email.profile_decided.subject", { decision, merchant }),
  sender: t("email.common.product"),
  heading: t("email.profile_decided.heading", { decision }),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.profile_decided.body", { decision, merchant })),
    ...(reason === null
      ? []
      : [{ kind: "facts" as const, rows: [{ label: t("email.merchant_rejected.reason"), value: reason }] }]),
    button(t("email.profile_decided.action"), url),
  ],
});

const merchantReceived: Template<MerchantReceivedParams> = ({ t }, { name, merchant, url }) => ({
  subject: t("email.merchant_received.subject", { merchant }),
  sender: t("email.common.product"),
  heading: t("email.merchant_received.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.merchant_received.body", { merchant })),
    button(t("email.merchant_received.action"), url),
  ],
});

const merchantApproved: Template<MerchantApprovedParams> = ({ t }, params) => ({
  subject: t("email.merchant_approved.subject", { merchant: params.merchant }),
  sender: t("email.common.product"),
  heading: t("email.merchant_approved.heading"),
  blocks: [
    text(t("email.common.greeting", { name: params.name })),
    text(t("email.merchant_approved.body", { merchant: params.merchant })),
    button(t("email.merchant_approved.action"), params.loginUrl),
    text(t("email.merchant_approved.share")),
    { kind: "facts", rows: [{ label: t("email.merchant_approved.signupLink"), value: params.signupUrl }] },
  ],
});

const merchantRejected: Template<MerchantRejectedParams> = ({ t }, { name, merchant, reason }) => ({
  subject: t("email.merchant_rejected.subject", { merchant }),
  sender: t("email.common.product"),
  heading: t("email.merchant_rejected.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.merchant_rejected.body", { merchant })),
    { kind: "facts", rows: [{ label: t("email.merchant_rejected.reason"), value: reason }] },
    note(t("email.merchant_rejected.note")),
  ],
});

const merchantSuspended: Template<MerchantSuspendedParams> = ({ t }, { name, merchant, reason }) => ({
  subject: t("email.merchant_suspended.subject", { merchant }),
  sender: t("email.common.product"),
  heading: t("email.merchant_suspended.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.merchant_suspended.body", { merchant })),
    { kind: "facts", rows: [{ label: t("email.merchant_suspended.reason"), value: reason }] },
    note(t("email.merchant_suspended.note")),
  ],
});

const merchantReinstated: Template<MerchantReinstatedParams> = ({ t }, { name, merchant, loginUrl }) => ({
  subject: t("email.merchant_reinstated.subject", { merchant }),
  sender: t("email.common.product"),
  heading: t("email.merchant_reinstated.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.merchant_reinstated.body", { merchant })),
    button(t("email.merchant_reinstated.action"), loginUrl),
  ],
});

const staffEmailChanged: Template<StaffEmailChangedParams> = ({ t, locale }, { name, email, at }) => ({
  subject: t("email.staff_email_changed.subject"),
  sender: t("email.common.product"),
  heading: t("email.staff_email_changed.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.staff_email_changed.body", { email, time: formatDateTime(at, locale) })),
    note(t("email.staff_email_changed.note")),
  ],
});

export const ACCOUNT_TEMPLATES = {
  password_reset: passwordReset,
  worker_invite: workerInvite,
  new_device: newDevice,
  password_changed: passwordChanged,
  pin_set: pinSet,
  pin_removed: pinRemoved,
  tries_used_up: triesUsedUp,
  staff_email_changed: staffEmailChanged,
  second_factor_changed: secondFactorChanged,
  admin_invite: adminInvite,
  confirm_mailbox: confirmMailbox,
  profile_decided: profileDecided,
  merchant_received: merchantReceived,
  merchant_approved: merchantApproved,
  merchant_rejected: merchantRejected,
  merchant_suspended: merchantSuspended,
  merchant_reinstated: merchantReinstated,
};
