"use client";

import { BanIcon, KeyRoundIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import {
  createApiKeyAction,
  revokeApiKeyAction,
  rotateApiKeyAction,
  updateApiKeyAction,
} from "@/app/(merchant)/merchant/actions";
import { ActionMenu, type MenuAction } from "@/components/data/action-menu";
import { askedAction } from "@/components/data/confirm-dialog";
import { AddDialog, ShownSecret, useShownOnce } from "@/components/forms/add-dialog";
import { CheckboxesField, CheckboxField } from "@/components/forms/checkbox-field";
import { type Option, SelectField } from "@/components/forms/choice-fields";
import { editAction } from "@/components/forms/form-dialog";
import { AmountField, TextareaField, TextField } from "@/components/forms/text-fields";
import { type ApiKeyForm, apiKeyFormSchema, DAY_POINTS } from "@/lib/api-keys/model";
import type { ApiKey, ApiKeyWithSecret } from "@/lib/api-keys/names";
import { ANY_BRANCH } from "@/lib/domain/ids";
import { KEY_SCOPES, SCOPE_TEXTS } from "@/lib/domain/key-scopes";
import { formatPoints } from "@/lib/domain/money";
import { HOLD_SECONDS } from "@/lib/holds/model";

export function AddApiKey({ branches }: { branches: readonly Option[] }) {
  const t = useTranslations("apiKeys");
  return (
    <AddDialog
      label={t("add")}
      description={t("addText")}
      schema={apiKeyFormSchema}
      defaultValues={EMPTY}
      action={(typed: ApiKeyForm) => createApiKeyAction(apiKeyFormSchema.parse(typed))}
      shown={({ name, secret }, close) => (
        <ShownSecret texts="apiKeys" name={name} secret={secret} close={close} />
      )}
    >
      <Fields branches={branches} />
    </AddDialog>
  );
}

const EMPTY: ApiKeyForm = {
  name: "",
  scopes: [],
  branchId: ANY_BRANCH,
  maxPointsOne: "",
  maxPointsDay: "",
  maxHoldSeconds: "",
  addresses: "",
  staffCards: false,
};

function Fields({ branches }: { branches: readonly Option[] }) {
  const t = useTranslations("apiKeys");
  const locale = useLocale();
  return (
    <>
      <TextField name="name" label={t("name")} hint={t("nameHint")} autoComplete="off" maxLength={60} />
      <CheckboxesField
        name="scopes"
        label={t("choose")}
        options={KEY_SCOPES.map((value) => ({ value, label: t(`scope.${SCOPE_TEXTS[value]}`) }))}
        className="grid grid-cols-1 gap-x-4"
      />
      <SelectField
        name="branchId"
        label={t("branch")}
        hint={t("branchHint")}
        options={[{ value: ANY_BRANCH, label: t("anyBranch") }, ...branches]}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <AmountField name="maxPointsOne" label={t("one")} hint={t("oneHint")} optional />
        <AmountField
          name="maxPointsDay"
          label={t("day")}
          hint={t("dayHint", { count: formatPoints(DAY_POINTS, locale) })}
          optional
        />
        <AmountField
          name="maxHoldSeconds"
          label={t("hold")}
          hint={t("holdHint", { minutes: HOLD_SECONDS.most / 60, hours: HOLD_SECONDS.mostOfKey / 3600 })}
          optional
        />
      </div>
      <TextareaField
        name="addresses"
        label={t("addresses")}
        hint={t("addressesHint")}
        dir="ltr"
        rows={2}
        optional
      />
      <CheckboxField name="staffCards" label={t("staffCards")} hint={t("staffCardsHint")} />
    </>
  );
}

/** The menu of a key. */
export function ApiKeyMenu({ apiKey, branches }: { apiKey: ApiKey; branches: readonly Option[] }) {
  const t = useTranslations("apiKeys");
  const { made, show, seen } = useShownOnce<ApiKeyWithSecret>();
  const { id, name, scopes, branch, maxPointsOne, maxPointsDay, maxHoldSeconds, addresses } = apiKey;
  const text = (points: number | null) => (points === null ? "" : String(points));
  const actions: MenuAction[] = [
    editAction(t("edit"), t("save"), {
      title: t("editOne", { name }),
      description: t("editText"),
      schema: apiKeyFormSchema,
      defaultValues: {
        name,
        scopes,
        branchId: branch?.id ?? ANY_BRANCH,
        maxPointsOne: text(maxPointsOne),
        maxPointsDay: text(maxPointsDay),
        // A limit that the API set to less than a minute is shown as one.
        maxHoldSeconds: text(maxHoldSeconds && Math.ceil(maxHoldSeconds / 60)),
        addresses: addresses.join("\n"),
        staffCards: apiKey.staffCards,
      },
      action: (typed: ApiKeyForm) => updateApiKeyAction({ id, ...apiKeyFormSchema.parse(typed) }),
      children: <Fields branches={branches} />,
    }),
    askedAction({
      label: t("rotate"),
      icon: KeyRoundIcon,
      title: t("rotateOne", { name }),
      description: t("rotateText"),
      run: () => rotateApiKeyAction({ id }),
      onDone: show,
    }),
    askedAction({
      label: t("revoke"),
      icon: BanIcon,
      variant: "destructive",
      title: t("revokeOne", { name }),
      description: t("revokeText"),
      run: () => revokeApiKeyAction({ id }),
    }),
  ];
  return (
    <>
      <ActionMenu label={t("actionsOf", { name })} actions={actions} />
      {made && <ShownSecret texts="apiKeys" name={name} secret={made.secret} close={seen} />}
    </>
  );
}
