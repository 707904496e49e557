"use client";

import { BanIcon, KeyRoundIcon, PencilIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ActionMenu, type MenuAction, useShownOnce } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import type { Option } from "@/components/forms/choice-fields";
import type { ApiKey, ApiKeyWithSecret } from "@/lib/api-keys/model";
import type { ActionResult } from "@/lib/domain/errors";
import { EditApiKey, ShownKey, type UpdateAction } from "./api-key-dialogs";

export type ApiKeyMenuProps = {
  apiKey: ApiKey;
  branches: readonly Option[];
  update: UpdateAction;
  rotate: (input: { id: string }) => Promise<ActionResult<ApiKeyWithSecret>>;
  revoke: (input: { id: string }) => Promise<ActionResult<ApiKey>>;
};

/** The menu of a key: edit, a new secret, revoke. Open at first; `children` is its button. */
export function ApiKeyMenu({
  apiKey,
  branches,
  update,
  rotate,
  revoke,
  children,
}: ApiKeyMenuProps & { children: ReactNode }) {
  const t = useTranslations("apiKeys");
  const router = useRouter();
  const { made, show, seen } = useShownOnce<ApiKeyWithSecret>();
  const { id, name } = apiKey;
  const actions: MenuAction[] = [
    {
      key: "edit",
      label: t("edit"),
      icon: PencilIcon,
      dialog: (close) => <EditApiKey apiKey={apiKey} branches={branches} update={update} onClose={close} />,
    },
    askedAction({
      key: "rotate",
      label: t("rotate"),
      icon: KeyRoundIcon,
      title: t("rotateOne", { name }),
      description: t("rotateText"),
      run: () => rotate({ id }),
      onDone: show,
    }),
    askedAction({
      key: "revoke",
      label: t("revoke"),
      icon: BanIcon,
      variant: "destructive",
      title: t("revokeOne", { name }),
      description: t("revokeText"),
      run: () => revoke({ id }),
      onDone: () => router.refresh(),
    }),
  ];
  return (
    <>
      <ActionMenu actions={actions}>{children}</ActionMenu>
      {made && <ShownKey made={made} close={seen} />}
    </>
  );
}
