"use client";

import { MailIcon, UserCheckIcon, UserXIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useNotify } from "@/components/ui/notify";
import type { ActionResult } from "@/lib/domain/errors";
import type { MenuAction } from "./action-menu";
import { askedAction } from "./confirm-dialog";

/** The shared menu entries of employees and administrators: enable, disable, and send the invitation again. */
export function useStaffActions({
  name,
  email,
  enableText,
  disableText,
  setActive,
  invite,
}: {
  name: string;
  email: string;
  enableText: string;
  disableText: string;
  setActive: (active: boolean) => Promise<ActionResult<unknown>>;
  invite: () => Promise<ActionResult<unknown>>;
}): Record<"enable" | "disable" | "again", MenuAction> {
  const t = useTranslations("staffMenu");
  const notify = useNotify();
  return {
    enable: askedAction({
      label: t("enable"),
      icon: UserCheckIcon,
      title: t("enableOne", { name }),
      description: enableText,
      run: () => setActive(true),
    }),
    disable: askedAction({
      label: t("disable"),
      icon: UserXIcon,
      variant: "destructive",
      title: t("disableOne", { name }),
      description: disableText,
      run: () => setActive(false),
    }),
    again: askedAction({
      label: t("again"),
      icon: MailIcon,
      title: t("againTitle"),
      description: t("againText", { email }),
      confirmLabel: t("send"),
      run: invite,
      onDone: () => notify.success(t("invited", { email })),
    }),
  };
}
