import { cashValue, formatQar } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import { button, type Template, text } from "@/lib/email/content";

type LockedParams = { name: string; worker: string; till: string; branch: string; at: Date; url: string };

const workerPinLocked: Template<LockedParams> = ({ t, locale }, { name, worker, till, branch, at, url }) => ({
  subject: t("email.worker_pin_locked.subject", { worker, till }),
  sender: t("email.common.product"),
  heading: t("email.worker_pin_locked.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.worker_pin_locked.body", { worker, till, branch, time: formatDateTime(at, locale) })),
    button(t("email.worker_pin_locked.action"), url),
  ],
});

const tillPinsLocked: Template<Omit<LockedParams, "worker">> = (
  { t, locale },
  { name, till, branch, at, url },
) => ({
  subject: t("email.till_pins_locked.subject", { till }),
  sender: t("email.common.product"),
  heading: t("email.till_pins_locked.heading"),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.till_pins_locked.body", { till, branch, time: formatDateTime(at, locale) })),
    button(t("email.till_pins_locked.action"), url),
  ],
});

/** Of the tender that differs most; amounts in dirhams. */
type DrawerParams = {
  name: string;
  worker: string;
  till: string;
  branch: string;
  report: number;
  expected: number;
  counted: number;
  at: Date;
  url: string;
};

const drawerDifference: Template<DrawerParams> = (
  { t, locale },
  { name, worker, till, branch, report, expected, counted, at, url },
) => {
  const qar = (dirhams: number) => formatQar(cashValue(dirhams, 1), locale);
  const difference = qar(counted - expected);
  return {
    subject: t("email.drawer_difference.subject", { difference, till }),
    sender: t("email.common.product"),
    heading: t("email.drawer_difference.heading"),
    blocks: [
      text(t("email.common.greeting", { name })),
      text(t("email.drawer_difference.body", { worker, till, branch, time: formatDateTime(at, locale) })),
      {
        kind: "facts",
        rows: [
          { label: t("email.drawer_difference.report"), value: String(report) },
          { label: t("email.drawer_difference.expected"), value: qar(expected) },
          { label: t("email.drawer_difference.counted"), value: qar(counted) },
          { label: t("email.drawer_difference.difference"), value: difference },
        ],
      },
      button(t("email.drawer_difference.action"), url),
    ],
  };
};

export const TILL_TEMPLATES = {
  worker_pin_locked: workerPinLocked,
  till_pins_locked: tillPinsLocked,
  drawer_difference: drawerDifference,
};
