"use client";

import { KeyRoundIcon, PencilIcon, PowerIcon, Trash2Icon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ActionMenu, type MenuAction, useShownOnce } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import type { Option } from "@/components/forms/choice-fields";
import type { ActionResult } from "@/lib/domain/errors";
import type { Endpoint, EndpointWithSecret } from "@/lib/webhooks/model";
import { EditWebhook, hostOf, ShownWebhookSecret, type UpdateAction } from "./webhook-dialogs";

export type WebhookMenuProps = {
  endpoint: Endpoint;
  branches: readonly Option[];
  update: UpdateAction;
  rotate: (input: { id: string }) => Promise<ActionResult<EndpointWithSecret>>;
  remove: (input: { id: string }) => Promise<ActionResult<void>>;
};

/** The menu of an endpoint: edit, a new secret, turn on again, delete. Open at first; `children` is its button. */
export function WebhookMenu({
  endpoint,
  branches,
  update,
  rotate,
  remove,
  children,
}: WebhookMenuProps & { children: ReactNode }) {
  const t = useTranslations("webhooks");
  const router = useRouter();
  const { made, show, seen } = useShownOnce<EndpointWithSecret>();
  const { id, state } = endpoint;
  const name = hostOf(endpoint);
  const edit: MenuAction = {
    key: "edit",
    label: t("edit"),
    icon: PencilIcon,
    dialog: (close) => (
      <EditWebhook endpoint={endpoint} branches={branches} update={update} onClose={close} />
    ),
  };
  const enable = askedAction({
    key: "enable",
    label: t("enable"),
    icon: PowerIcon,
    title: t("enableOne", { name }),
    description: t("enableText"),
    run: () => update({ id, state: "active" }),
    onDone: () => router.refresh(),
  });
  const newSecret = askedAction({
    key: "rotate",
    label: t("rotate"),
    icon: KeyRoundIcon,
    title: t("rotateOne", { name }),
    description: t("rotateText"),
    run: () => rotate({ id }),
    onDone: show,
  });
  const end = askedAction({
    key: "remove",
    label: t("remove"),
    icon: Trash2Icon,
    variant: "destructive",
    title: t("removeOne", { name }),
    description: t("removeText"),
    run: () => remove({ id }),
    onDone: () => router.refresh(),
  });
  return (
    <>
      <ActionMenu actions={[edit, ...(state === "disabled" ? [enable] : []), newSecret, end]}>
        {children}
      </ActionMenu>
      {made && <ShownWebhookSecret made={made} close={seen} />}
    </>
  );
}
