"use client";

import { CheckIcon, XIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { z } from "zod";
import { ConfirmButton } from "@/components/data/confirm-button";
import { FormDialog } from "@/components/forms/form-dialog";
import { TextareaField } from "@/components/forms/text-fields";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { ActionResult } from "@/lib/domain/errors";
import { requiredReason } from "@/lib/ledger/model/movements";
import {
  decideProfileSchema,
  type MerchantDetail,
  type PendingProfile,
  type ShownProfile,
} from "@/lib/merchants/model/merchant";
import type { Pictures } from "./pending-profile";

const rejectSchema = decideProfileSchema.extend({ reason: requiredReason });
type Input = z.input<typeof decideProfileSchema>;

/** The present profile and the one that its owner asked for beside each other, with Approve and Reject. */
export function ProfileDecision({
  merchant,
  change,
  images,
  decide,
}: {
  merchant: ShownProfile & { id: string };
  change: PendingProfile;
  /** The pictures of both. */
  images: { present: Pictures; wanted: Pictures };
  decide: (input: Input) => Promise<ActionResult<MerchantDetail>>;
}) {
  const t = useTranslations("merchants");
  const router = useRouter();
  const about = { id: merchant.id, changeId: change.id };
  return (
    <Card className="mb-5" data-slot="profile-change">
      <CardHeader>
        <CardTitle>{t("change.title")}</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
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
          <FormDialog<z.input<typeof rejectSchema>, MerchantDetail>
            trigger={{
              children: (
                <>
                  <XIcon aria-hidden /> {t("change.reject")}
                </>
              ),
            }}
            title={t("change.reject")}
            description={t("change.rejectText")}
            schema={rejectSchema}
            action={decide}
            defaultValues={{ ...about, status: "rejected", reason: "" }}
            submit={{ children: t("change.reject"), variant: "destructive" }}
          >
            <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
          </FormDialog>
          <ConfirmButton
            variant="success"
            title={t("change.approve")}
            description={t("change.approveText")}
            confirmLabel={t("change.approve")}
            confirmVariant="success"
            run={() => decide({ ...about, status: "approved" })}
            onDone={() => router.refresh()}
          >
            <CheckIcon aria-hidden /> {t("change.approve")}
          </ConfirmButton>
        </div>
      </CardContent>
    </Card>
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
        // biome-ignore lint/performance/noImgElement: the store serves it in its final size
        <img src={image} alt={t("imageAlt")} className="h-32 w-full rounded-md object-cover" />
      ) : (
        missing(t("change.noImage"))
      )}
      {logo ? (
        // biome-ignore lint/performance/noImgElement: the store serves it in its final size
        <img
          src={logo}
          alt={t("logoAlt")}
          className="size-16 rounded-md border bg-white object-contain p-2"
        />
      ) : (
        missing(t("change.noLogo"))
      )}
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
