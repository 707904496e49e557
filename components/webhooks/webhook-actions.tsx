"use client";

import { KeyRoundIcon, PowerIcon, Trash2Icon } from "lucide-react";
import { useTranslations } from "next-intl";
import {
  createWebhookAction,
  deleteWebhookAction,
  rotateWebhookAction,
  updateWebhookAction,
} from "@/app/(merchant)/merchant/actions";
import { ActionMenu, type MenuAction } from "@/components/data/action-menu";
import { askedAction, type ConfirmProps } from "@/components/data/confirm-dialog";
import { AddDialog, ShownSecret, useShownOnce } from "@/components/forms/add-dialog";
import { CheckboxesField, CheckboxField } from "@/components/forms/checkbox-field";
import { type Option, SelectField } from "@/components/forms/choice-fields";
import { editAction } from "@/components/forms/form-dialog";
import { TextField } from "@/components/forms/text-fields";
import { ANY_BRANCH } from "@/lib/domain/ids";
import { CHOSEN_TYPES, type WebhookForm, webhookFormSchema } from "@/lib/webhooks/model";
import type { Endpoint, EndpointWithSecret } from "@/lib/webhooks/names";

const hostOf = ({ url }: Pick<Endpoint, "url">) => new URL(url).host;

export function AddWebhook({ branches }: { branches: readonly Option[] }) {
  const t = useTranslations("webhooks");
  return (
    <AddDialog
      label={t("add")}
      description={t("addText")}
      schema={webhookFormSchema}
      defaultValues={EMPTY}
      action={(typed: WebhookForm) => createWebhookAction(webhookFormSchema.parse(typed))}
      shown={(made, close) => (
        <ShownSecret texts="webhooks" name={hostOf(made)} secret={made.secret} close={close} />
      )}
    >
      <Fields branches={branches} />
    </AddDialog>
  );
}

const EMPTY: WebhookForm = { url: "", events: [], branchId: ANY_BRANCH, ordered: true, asymmetric: false };

const TYPES = CHOSEN_TYPES.map((value) => ({
  value,
  label: (
    <span dir="ltr" className="font-mono">
      {value}
    </span>
  ),
}));

function Fields({ branches }: { branches: readonly Option[] }) {
  const t = useTranslations("webhooks");
  return (
    <>
      <TextField
        name="url"
        label={t("url")}
        hint={t("urlHint")}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        maxLength={2000}
      />
      <CheckboxesField
        name="events"
        label={t("choose")}
        options={TYPES}
        className="grid grid-cols-1 gap-x-4 sm:grid-cols-2"
      />
      <SelectField
        name="branchId"
        label={t("branch")}
        hint={t("branchHint")}
        options={[{ value: ANY_BRANCH, label: t("anyBranch") }, ...branches]}
      />
      <CheckboxField name="ordered" label={t("ordered")} hint={t("orderedHint")} />
      <CheckboxField name="asymmetric" label={t("asymmetric")} hint={t("asymmetricHint")} />
    </>
  );
}

export function WebhookMenu({ endpoint, branches }: { endpoint: Endpoint; branches: readonly Option[] }) {
  const t = useTranslations("webhooks");
  const { made, show, seen } = useShownOnce<EndpointWithSecret>();
  const { id, state } = endpoint;
  const name = hostOf(endpoint);
  const edit = editAction(t("edit"), t("save"), {
    title: t("editOne", { name }),
    description: t("editText"),
    schema: webhookFormSchema,
    defaultValues: {
      url: endpoint.url,
      events: CHOSEN_TYPES.filter((type) => endpoint.events.includes(type)),
      branchId: endpoint.branch?.id ?? ANY_BRANCH,
      ordered: endpoint.ordered,
      asymmetric: endpoint.publicKey !== null,
    },
    action: (typed: WebhookForm) => updateWebhookAction({ id, ...webhookFormSchema.parse(typed) }),
    children: <Fields branches={branches} />,
  });
  const asked = <R,>(
    key: "enable" | "rotate" | "remove",
    entry: Pick<MenuAction, "icon" | "variant"> & Pick<ConfirmProps<R>, "run" | "onDone">,
  ) =>
    askedAction({ label: t(key), title: t(`${key}One`, { name }), description: t(`${key}Text`), ...entry });
  const actions = [
    edit,
    ...(state === "disabled"
      ? [asked("enable", { icon: PowerIcon, run: () => updateWebhookAction({ id, state: "active" }) })]
      : []),
    asked("rotate", { icon: KeyRoundIcon, run: () => rotateWebhookAction({ id }), onDone: show }),
    asked("remove", { icon: Trash2Icon, variant: "destructive", run: () => deleteWebhookAction({ id }) }),
  ];
  return (
    <>
      <ActionMenu label={t("actionsOf", { name })} actions={actions} />
      {made && <ShownSecret texts="webhooks" name={name} secret={made.secret} close={seen} />}
    </>
  );
}
