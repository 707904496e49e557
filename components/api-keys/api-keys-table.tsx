"use client";

import { BanIcon, CircleCheckIcon, KeyRoundIcon, RefreshCwIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { BranchName } from "@/components/data/branch-name";
import { type Column, DataTable } from "@/components/data/data-table";
import { NoneFound } from "@/components/data/none-found";
import { RelativeTime } from "@/components/data/relative-time";
import { StateBadge, type StateLook } from "@/components/data/status-badge";
import type { Option } from "@/components/forms/choice-fields";
import { EmptyState } from "@/components/ui/empty";
import type { ApiKey, KeyState } from "@/lib/api-keys/model";
import { SCOPE_TEXTS } from "@/lib/domain/key-scopes";
import { ApiKeyMenu } from "./api-key-actions";

const STATES: Record<KeyState, StateLook> = {
  active: { variant: "success", Icon: CircleCheckIcon },
  rotating: { variant: "warning", Icon: RefreshCwIcon },
  revoked: { variant: "secondary", Icon: BanIcon },
};

/** A page of API keys with what can be done to each. */
export function ApiKeysTable({
  keys,
  branches,
  filtered,
}: {
  keys: readonly ApiKey[];
  branches: readonly Option[];
  filtered: boolean;
}) {
  const t = useTranslations("apiKeys");
  const columns: Column<ApiKey>[] = [
    {
      key: "name",
      header: t("name"),
      primary: true,
      cell: ({ name, prefix }) => (
        <span className="names">
          <bdi>{name}</bdi>
          <span className="staff">
            <bdi dir="ltr" className="font-mono">
              {prefix}…
            </bdi>
          </span>
        </span>
      ),
    },
    {
      key: "scopes",
      header: t("scopes"),
      phone: "below",
      className: "whitespace-normal",
      cell: ({ scopes, branch }) => (
        <>
          {scopes.map((scope) => t(`scope.${SCOPE_TEXTS[scope]}`)).join(" · ")}
          {branch && (
            <>
              {" — "}
              <BranchName of={branch} />
            </>
          )}
        </>
      ),
    },
    {
      key: "used",
      header: t("used"),
      phone: "line",
      cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime date={lastUsedAt} /> : t("never")),
    },
    {
      key: "requests",
      header: t("requests"),
      phone: "line",
      cell: ({ callsOfDay }) => t("requestCount", { count: callsOfDay }),
    },
    {
      key: "created",
      header: t("created"),
      wide: true,
      cell: ({ createdBy, createdAt }) => (
        <span className="names">
          <bdi>{createdBy?.name}</bdi>
          <span className="staff">
            <RelativeTime date={createdAt} />
          </span>
        </span>
      ),
    },
    {
      key: "state",
      header: t("state"),
      phone: "aside",
      cell: ({ state }) => <StateBadge of={STATES[state]}>{t(`states.${state}`)}</StateBadge>,
    },
    {
      key: "actions",
      header: t("actions"),
      actions: true,
      cell: (apiKey) =>
        apiKey.state === "revoked" ? null : <ApiKeyMenu apiKey={apiKey} branches={branches} />,
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns}
      rows={keys}
      rowKey={(key) => key.id}
      empty={
        filtered ? (
          <NoneFound icon={KeyRoundIcon} />
        ) : (
          <EmptyState icon={KeyRoundIcon} title={t("none")} description={t("noneText")} />
        )
      }
    />
  );
}
