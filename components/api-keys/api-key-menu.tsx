"use client";

import { BanIcon, KeyRoundIcon, PencilIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import {
  revokeApiKeyAction,
  rotateApiKeyAction,
  updateApiKeyAction,
} from "@/app/(merchant)/merchant/(settings)/settings/integrations/actions";
import { ActionMenu, type MenuAction, useShownOnce } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import type { Option } from "@/components/forms/choice-fields";
import type { ApiKey, ApiKeyWithSecret } from "@/lib/api-keys/model";
import { EditApiKey, ShownKey } from "./api-key-dialogs";

/** The menu of a key: edit, a new secret, revoke. Open at first; `children` is its button. */
export function ApiKeyMenu({
  apiKey,
  branches,
  children,
}: {
  apiKey: ApiKey;
  branches: readonly Option[];
  children: ReactNode;
}) {
  const t = useTranslations("apiKeys");
  const router = useRouter();
  const { made, show, seen } = useShownOnce<ApiKeyWithSecret>();
  const { id, name } = apiKey;
  const actions: MenuAction[] = [
    {
      key: "edit",
      label: t("edit"),
      icon: PencilIcon,
      dialog: (close) => (
        <EditApiKey apiKey={apiKey} branches={branches} update={updateApiKeyAction} onClose={close} />
      ),
    },
    askedAction({
      key: "rotate",
      label: t("rotate"),
      icon: KeyRoundIcon,
      title: t("rotateOne", { name }),
      description: t("rotateText"),
      run: () => rotateApiKeyAction({ id }),
      onDone: show,
    }),
    askedAction({
      key: "revoke",
      label: t("revoke"),
      icon: BanIcon,
      variant: "destructive",
      title: t("revokeOne", { name }),
      description: t("revokeText"),
      run: () => revokeApiKeyAction({ id }),
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
