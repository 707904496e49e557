"use client";

import { CheckIcon, CirclePauseIcon, CirclePlayIcon, XIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import type { z } from "zod";
import {
  decideMerchantAction,
  decideProfileAction,
  suspendMerchantAction,
} from "@/app/(admin)/admin/(settings)/actions";
import { ConfirmButton } from "@/components/data/confirm-button";
import { GuardedSteps } from "@/components/data/guarded-steps";
import { TitledCard } from "@/components/data/titled-card";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { FormDialog } from "@/components/forms/form-dialog";
import { TextareaField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Sheet, SheetContent, SheetTrigger } from "@/components/ui/sheet";
import { type MerchantNames, merchantName } from "@/lib/domain/localized-names";
import { requiredReason } from "@/lib/ledger/model/movements";
import {
  decideMerchantSchema,
  decideProfileSchema,
  type PendingProfile,
  type ShownProfile,
} from "@/lib/merchants/model/merchant";
import { suspendMerchantSchema } from "@/lib/merchants/model/merchant-settings";
import type { MerchantDetail } from "@/lib/merchants/names";
import { type Pictures, ShopPicture } from "./pending-profile";

const rejectSchema = decideMerchantSchema.extend({ reason: requiredReason });

type Applicant = Pick<MerchantDetail, "id" | keyof MerchantNames | "email" | "status" | "profileVersion">;

/** Approves or rejects an application. The owner gets an e-mail. An approved one is suspended instead. */
export function Decision({ merchant }: { merchant: Applicant }) {
  const t = useTranslations("merchants");
  const name = merchantName(merchant, useLocale());
  const { id, status, profileVersion: version } = merchant;
  return (
    <>
      {status === "pending" && <Rejection merchant={merchant} name={name} />}
      {status !== "approved" && (
        <ConfirmButton
          variant="success"
          icon={CheckIcon}
          label={t("approve")}
          title={t("approveOne", { name })}
          description={t("approveText")}
          confirmVariant="success"
          run={() => decideMerchantAction({ id, status: "approved", seen: status, version })}
        />
      )}
    </>
  );
}

function Rejection({ merchant, name }: { merchant: Applicant; name: string }) {
  const { id, email, status, profileVersion: version } = merchant;
  const t = useTranslations("merchants");
  const statuses = useTranslations("status");
  const notify = useNotify();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const done = () => {
    setOpen(false);
    router.refresh();
  };
  return (
    <Sheet open={open} onOpenChange={setOpen}>
      <SheetTrigger asChild>
        <Button variant="outline">
          <XIcon aria-hidden /> {t("reject")}
        </Button>
      </SheetTrigger>
      <SheetContent side="end">
        <ActionForm
          className="min-h-full"
          schema={rejectSchema}
          action={decideMerchantAction}
          defaultValues={{ id, status: "rejected", reason: "", seen: status, version }}
          onSuccess={done}
          onRefused={(refusal) => {
            if (refusal.code !== "conflict") return false;
            notify.error(refusal.message);
            done();
            return true;
          }}
        >
          {(form) => (
            <GuardedSteps
              title={t("rejectOne", { name })}
              description={t("rejectText")}
              facts={[
                { label: t("business"), after: name },
                { label: t("owner"), after: email },
                { label: t("status"), before: statuses("pending"), after: statuses("rejected") },
              ]}
              expected={name}
              onContinue={() => form.trigger("reason")}
              submit={(ready) => (
                <SubmitButton variant="destructive" disabled={!ready}>
                  {t("reject")}
                </SubmitButton>
              )}
            >
              <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
            </GuardedSteps>
          )}
        </ActionForm>
      </SheetContent>
    </Sheet>
  );
}

const suspendSchema = suspendMerchantSchema.extend({ reason: requiredReason });

/** Suspends a merchant with a reason, or ends its suspension. The owner gets an e-mail either way. */
export function Suspension({
  merchant,
}: {
  merchant: Pick<MerchantDetail, "id" | keyof MerchantNames | "suspendedAt">;
}) {
  const t = useTranslations("suspension");
  const name = merchantName(merchant, useLocale());
  const { id, suspendedAt } = merchant;
  if (suspendedAt !== null) {
    return (
      <ConfirmButton
        icon={CirclePlayIcon}
        label={t("end")}
        title={t("endOne", { name })}
        description={t("endText")}
        confirmVariant="default"
        run={() => suspendMerchantAction({ id, suspended: false })}
      />
    );
  }
  return (
    <FormDialog<z.input<typeof suspendSchema>, MerchantDetail>
      trigger={{ icon: CirclePauseIcon, children: t("suspend") }}
      title={t("suspendOne", { name })}
      description={t("suspendText")}
      schema={suspendSchema}
      action={suspendMerchantAction}
      defaultValues={{ id, suspended: true, reason: "" }}
      submit={{ children: t("suspend"), variant: "destructive" }}
    >
      <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
    </FormDialog>
  );
}

const rejectProfileSchema = decideProfileSchema.extend({ reason: requiredReason });

type ProfileDecisionProps = {
  merchant: ShownProfile & { id: string };
  change: PendingProfile;
  images: { present: Pictures; wanted: Pictures };
};

/** The present profile and the one that its owner asked for beside each other, with Approve and Reject. */
export function ProfileDecision({ merchant, change, images }: ProfileDecisionProps) {
  const t = useTranslations("merchants");
  const about = { id: merchant.id, changeId: change.id };
  return (
    <TitledCard
      className="mb-5"
      data-slot="profile-change"
      title={t("change.title")}
      contentClass="flex flex-col gap-5"
    >
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Side label={t("change.present")} profile={merchant} pictures={images.present} />
        <Side
          label={t("change.wanted")}
          profile={{ ...merchant, ...change }}
          pictures={{
            image: change.imageKey === undefined ? images.present.image : images.wanted.image,
            logo: change.logoKey === undefined ? images.present.logo : images.wanted.logo,
          }}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <FormDialog<z.input<typeof rejectProfileSchema>, MerchantDetail>
          trigger={{ icon: XIcon, children: t("change.reject") }}
          title={t("change.reject")}
          description={t("change.rejectText")}
          schema={rejectProfileSchema}
          action={decideProfileAction}
          defaultValues={{ ...about, status: "rejected", reason: "" }}
          submit={{ children: t("change.reject"), variant: "destructive" }}
        >
          <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
        </FormDialog>
        <ConfirmButton
          variant="success"
          icon={CheckIcon}
          label={t("change.approve")}
          description={t("change.approveText")}
          confirmVariant="success"
          run={() => decideProfileAction({ ...about, status: "approved" })}
        />
      </div>
    </TitledCard>
  );
}

function Side({
  label,
  profile: { businessName, businessNameAr, colour },
  pictures: { image, logo },
}: {
  label: string;
  profile: ShownProfile;
  pictures: Pictures;
}) {
  const t = useTranslations("merchants");
  const missing = (text: string) => <p className="text-muted-foreground text-sm">{text}</p>;
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-2 rounded-lg border p-3">
      <p className="text-muted-foreground text-sm">{label}</p>
      <p className="break-words font-medium">
        <bdi>{businessName}</bdi>
      </p>
      {businessNameAr ? (
        <p lang="ar" className="break-words font-medium">
          <bdi>{businessNameAr}</bdi>
        </p>
      ) : (
        missing(t("change.noNameAr"))
      )}
      {image ? (
        <ShopPicture src={image} alt={t("imageAlt")} className="h-32 w-full rounded-md object-cover" />
      ) : (
        missing(t("change.noImage"))
      )}
      {logo ? <ShopPicture src={logo} alt={t("logoAlt")} /> : missing(t("change.noLogo"))}
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span className="text-muted-foreground">{t("change.colour")}</span>
        {colour ? (
          <>
            <span aria-hidden className="size-5 rounded-full border" style={{ backgroundColor: colour }} />
            <bdi className="font-mono">{colour}</bdi>
          </>
        ) : (
          t("change.noColour")
        )}
      </p>
    </section>
  );
}
